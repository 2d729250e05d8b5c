import type { Column } from "../engine/bulk-statements.ts";
import { HOUR } from "../engine/durations.ts";
import type { JsonObject } from "../engine/json-columns.ts";

/**
 * The lower bounds, in ms, of the classes in which earlier versions counted durations; a further class lies below the
 * first bound. Durations are counted by `Latencies` now, and these columns stay 0.
 */
export const PACES = [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000] as const;
/** The columns that count the requests of each class. */
export const PACE_COLUMNS: readonly string[] = Array.from(
  { length: PACES.length + 1 },
  (_, pace) => `pace_${pace}`,
);

/** The counts of a generation: the name in its usage, and the column of its sum. */
export const COUNTED = [
  ["input", "input"],
  ["output", "output"],
  ["cacheRead", "cache_read"],
  ["reasoning", "reasoning"],
  ["images", "images"],
  ["characters", "characters"],
] as const;

export const KEY: readonly Column[] = [
  ["account_id", "account", "TEXT"],
  ["hour", "hour", "BIGINT"],
  ...(["key_id", "model", "modality", "status", "surface", "entry"] as const).map(
    (name) => [name, name, "TEXT"] as const,
  ),
];
/** The columns that are sums. */
export const SUMS = [
  ...(["requests", "cost", "duration_ms"] as const),
  ...COUNTED.map(([, column]) => column),
  "millis" as const,
];
export type Sum = (typeof SUMS)[number];

/** An ended generation, as the sums count it. */
export interface Entry {
  account: string;
  key: string | null;
  model: string;
  modality: string;
  status: string;
  /** The surface that received it, and the model entry that served it; null if unknown. */
  surface: string | null;
  entry: string | null;
  /** The time at which it began. */
  at: number;
  duration: number | null;
  cost: number | null;
  counts: Counted;
  /** A JSON object, as in its row. */
  tags: string | null;
  /** True if it was counted before and is now subtracted. */
  isTaken?: boolean;
}

export type Counted = Readonly<Partial<Record<Sum, number>>>;

/** The counts of a usage, under the names of the sums. */
export function toCounted(usage: JsonObject | undefined): Counted {
  const counted: Partial<Record<Sum, number>> = {};
  if (usage === undefined) return counted;
  for (const [name, column] of COUNTED) {
    const value = usage[name];
    if (Number.isSafeInteger(value) && (value as number) >= 0) counted[column] = value as number;
  }
  const { seconds } = usage;
  if (typeof seconds === "number" && seconds >= 0) counted.millis = Math.floor(seconds * 1_000 + 0.5);
  return counted;
}

/** The model entry that a route names. */
export function entryOf(route: JsonObject | undefined): string | null {
  const entry = route?.entry;
  return typeof entry === "string" ? entry : null;
}

/** All columns that ends are added to. */
export const ADDED = SUMS.map((name) => [name, name, "BIGINT"] as const);
const NOTHING = Object.fromEntries(SUMS.map((name) => [name, 0])) as Record<Sum, number>;
type Row = Record<Sum, number> & Record<string, string | number>;
/** Rows of sums, by a name for their group. */
export type Rows = Map<string, Row>;

/** Adds an end to the row of its hour, and of `tag` if one is given. */
export function addEntry(rows: Rows, entry: Entry, tag?: { name: string; value: string }): void {
  const { account, model, modality, status, at, duration, cost, counts, isTaken = false } = entry;
  const [hour, key] = [at - (at % HOUR), entry.key ?? ""];
  const [surface, served] = [entry.surface ?? "", entry.entry ?? ""];
  const baseKey = `${account}\n${hour}\n${key}\n${model}\n${modality}\n${status}`;
  const place = `${baseKey}\n${surface}\n${served}\n${tag?.name}\n${tag?.value}`;
  let row = rows.get(place);
  if (row === undefined) {
    row = { ...NOTHING, account, hour, key_id: key, model, modality, status, surface, entry: served, ...tag };
    rows.set(place, row);
  }
  const sign = isTaken ? -1 : 1;
  row.requests += sign;
  row.cost += sign * (cost ?? 0);
  row.duration_ms += sign * (duration ?? 0);
  for (const sum in counts) row[sum as Sum] += sign * (counts[sum as Sum] as number);
}
