import type { Preferences } from "./preferences.ts";

/** The properties by which entries are ordered. */
export interface Standing {
  provider: string;
  /** The relation to the conversation: 0 if it served it, 1 if it can read its seals, 2 otherwise. */
  affinity: 0 | 1 | 2;
  /** Whether it demanded a pause that is not over. */
  cooling: boolean;
  /** Whether it speaks the caller's protocol. */
  native: boolean;
  priority: number;
  /** Its weighted draw for the conversation, if its priority has weights: the highest goes first. */
  draw?: number | undefined;
  /** Failures since its last success. */
  failures: number;
  /** Micro-USD for a million input and a million output tokens. */
  price: number;
  /** Milliseconds to the first byte; absent: not known yet. */
  latency?: number | undefined;
  /** Output tokens per second; absent: not known yet. */
  throughput?: number | undefined;
}

/** The rules of the order, the most important first. If none decides, the order of the file does. */
export const RULES = [
  "order",
  "conversation",
  "pause",
  "sort",
  "protocol",
  "priority",
  "weight",
  "failures",
  "price",
] as const;
export type Rule = (typeof RULES)[number] | "file";

/** The numbers by which two entries are compared, the most important first; the smaller goes first. */
export function keysOf(entry: Standing, { order, sort }: Pick<Preferences, "order" | "sort">): number[] {
  const place = order?.indexOf(entry.provider) ?? -1;
  return [
    place < 0 ? Number.POSITIVE_INFINITY : place,
    entry.affinity,
    Number(entry.cooling),
    sort === undefined ? 0 : sortKey(entry, sort),
    Number(!entry.native),
    entry.priority,
    -(entry.draw ?? 0),
    entry.failures,
    entry.price,
  ];
}

function sortKey(entry: Standing, sort: NonNullable<Preferences["sort"]>): number {
  switch (sort) {
    case "price":
      return entry.price;
    case "latency":
      return entry.latency ?? Number.POSITIVE_INFINITY;
    case "throughput":
      return entry.throughput === undefined ? Number.POSITIVE_INFINITY : -entry.throughput;
  }
}

/**
 * Sorts entries into the order of calls: by the caller's `order`, relation to the conversation, pending pauses, the
 * caller's `sort`, the caller's protocol, priority, weighted draw, failures and price. Equal entries keep their order.
 */
export function rank<Entry extends Standing>(
  entries: readonly Entry[],
  preferences: Pick<Preferences, "order" | "sort">,
): Entry[] {
  if (entries.length < 2) return [...entries];
  return entries
    .map((entry) => ({ entry, keys: keysOf(entry, preferences) }))
    .sort((a, b) => compare(a.keys, b.keys))
    .map(({ entry }) => entry);
}

/** The rule that put each ranked entry after the one before it; the first has none. */
export function decisions(
  ranked: readonly Standing[],
  preferences: Pick<Preferences, "order" | "sort">,
): (Rule | undefined)[] {
  const keys = ranked.map((entry) => keysOf(entry, preferences));
  return keys.map((current, at) => {
    const before = keys[at - 1];
    if (!before) return undefined;
    return RULES[current.findIndex((key, i) => key !== before[i])] ?? "file";
  });
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((key, i) => key !== b[i]);
  if (at < 0) return 0;
  return (a[at] as number) < (b[at] as number) ? -1 : 1;
}
