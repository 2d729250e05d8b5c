import { addPacked, addSketch, addSpread, newSketch, type Sketch } from "./sketch.ts";
import { PACE_COLUMNS, PACES, SUMS, type Sum } from "./sums.ts";

/** The sums over one bucket, or over all. */
export type UsageSums = Record<Sum, number> & {
  /** The number of requests with the outcome `failed`. */
  failed: number;
  /**
   * Requests that were refused before they had a generation, which are not among `requests`. Absent where refusals are
   * not counted by a condition of the filter or the split.
   */
  refused?: number;
  /** The durations of requests. */
  durations: Sketch;
  /** The times to the first token, or to the first byte of an answer that came whole. */
  firsts: Sketch;
  /** True if some durations are from an earlier version, which counted them in wide classes only. */
  isCoarse: boolean;
};

/** One point of a series: the sums of a bucket, or of one name in it if the series is split. */
export interface UsagePoint extends UsageSums {
  /** The beginning of the bucket; without buckets, of the range. */
  at: number;
  /** The model, key, modality, status, surface, entry, account or tag value; absent without a split. */
  name?: string;
}

/** A row of sums as a query returns it. */
export type SumRow = Record<Sum | "at" | "failed", number> &
  Record<string, number | string> & { name: string };
/** A row of latencies as a query returns it: packed sketches, one behind the other. */
export interface LatencyRow {
  at: number;
  name: string;
  durations: string;
  longest: number;
  firsts: string;
  longest_first: number;
}

/** No sums; `isCounted` if refused requests are known. */
export const newSums = (isCounted: boolean): UsageSums => ({
  ...(Object.fromEntries(SUMS.map((name) => [name, 0])) as Record<Sum, number>),
  ...{ failed: 0, durations: newSketch(), firsts: newSketch(), isCoarse: false },
  ...(isCounted && { refused: 0 }),
});

/** Adds sums to others. */
export function addSums(to: UsageSums, sums: UsageSums): void {
  for (const name of SUMS) to[name] += sums[name];
  to.failed += sums.failed;
  if (sums.refused !== undefined) to.refused = (to.refused ?? 0) + sums.refused;
  addSketch(to.durations, sums.durations);
  addSketch(to.firsts, sums.firsts);
  to.isCoarse ||= sums.isCoarse;
}

/** Adds a row of sums, with the durations that earlier versions counted in it. */
export function addRow(to: UsageSums, row: SumRow): void {
  for (const name of SUMS) to[name] += row[name];
  to.failed += row.failed;
  for (const [pace, column] of PACE_COLUMNS.entries()) {
    const count = row[column] as number;
    if (count === 0) continue;
    const from = PACES[pace - 1] ?? 0;
    addSpread(to.durations, [from, PACES[pace] ?? from + 1], count);
    to.isCoarse = true;
  }
}

/** Adds a row of latencies. */
export function addLatencies(to: UsageSums, row: LatencyRow): void {
  addPacked(to.durations, row.durations, row.longest);
  addPacked(to.firsts, row.firsts, row.longest_first);
}

/** Adds up points. */
export function sumOf(points: readonly UsageSums[]): UsageSums {
  const sum = newSums(false);
  for (const point of points) addSums(sum, point);
  return sum;
}
