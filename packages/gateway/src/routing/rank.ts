import type { Preferences } from "./preferences.ts";

/** The properties by which entries are ordered. */
export interface Standing {
  provider: string;
  /** The tie to the conversation: 0 it served it, 1 it can read its seals, 2 none. */
  stuck: 0 | 1 | 2;
  /** It demanded a pause that is not over. */
  cooling: boolean;
  /** It speaks the caller's protocol. */
  native: boolean;
  priority: number;
  /** Its draw for the conversation among entries of its priority that have weights: the highest goes first. */
  draw?: number | undefined;
  /** Failures since its last success. */
  failures: number;
  /** Micro-USD for a million tokens in and a million out. */
  price: number;
  /** Milliseconds to the first byte; absent: not known yet. */
  latency?: number | undefined;
  /** Output tokens in a second. */
  throughput?: number | undefined;
}

/** The rules of the order, the most important first. Where none of them decides, the order of the file does. */
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

/** The numbers that two entries are compared by, the most important first; less goes first. */
export function keysOf(entry: Standing, { order, sort }: Pick<Preferences, "order" | "sort">): number[] {
  const place = order?.indexOf(entry.provider) ?? -1;
  return [
    place < 0 ? Number.POSITIVE_INFINITY : place,
    entry.stuck,
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
 * Entries in the order in which they are called: the caller's own order, the entry that has the conversation, entries
 * without a pause, the property the caller sorts by, the caller's protocol, priority, the draw by weights, health and
 * price. Equal ones stay as they were.
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

/** The rules by which each of ranked entries comes after the one before it; the first has none. */
export function decisions(
  ranked: readonly Standing[],
  preferences: Pick<Preferences, "order" | "sort">,
): (Rule | undefined)[] {
  const keys = ranked.map((entry) => keysOf(entry, preferences));
  return keys.map((own, at) => {
    const before = keys[at - 1];
    if (!before) return undefined;
    return RULES[own.findIndex((key, i) => key !== before[i])] ?? "file";
  });
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((key, i) => key !== b[i]);
  if (at < 0) return 0;
  return (a[at] as number) < (b[at] as number) ? -1 : 1;
}
