import { setImmediate } from "node:timers/promises";
import type { JsonObject } from "@manifold-gateway/core/codec";
import {
  type Bucket,
  bucketOf,
  quantiles,
  sumOf,
  toUsd,
  type UsagePoint,
  type UsageSums,
} from "@manifold-gateway/store";
import { momentOf } from "../http/moments.ts";

/** The sums that series can be ranked by, each with its value. */
export const MEASURES = {
  spend: ({ cost }) => cost,
  requests: ({ requests }) => requests,
  failed: ({ failed }) => failed,
  refused: ({ refused = 0 }) => refused,
  inputTokens: ({ input }) => input,
  outputTokens: ({ output }) => output,
  cacheReadTokens: ({ cache_read }) => cache_read,
  reasoningTokens: ({ reasoning }) => reasoning,
  images: ({ images }) => images,
  seconds: ({ millis }) => millis,
  characters: ({ characters }) => characters,
} as const satisfies Record<string, (sums: UsageSums) => number>;
export type Measure = keyof typeof MEASURES;

/** The shares of requests whose durations are shown. */
export const SHARES = [0.5, 0.95];

/** The percentiles of sums, as far as there are any. */
export function percentilesOf(sums: UsageSums) {
  const [p50Ms, p95Ms] = quantiles(sums.durations, SHARES);
  const [p50FirstMs, p95FirstMs] = quantiles(sums.firsts, SHARES);
  return {
    ...(p50Ms !== undefined && { p50Ms }),
    ...(p95Ms !== undefined && { p95Ms }),
    ...(p50FirstMs !== undefined && { p50FirstMs }),
    ...(p95FirstMs !== undefined && { p95FirstMs }),
    ...(sums.isCoarse && { coarse: true }),
  };
}

/** Sums as a reply shows them. */
export function toSums(sums: UsageSums): JsonObject {
  return {
    requests: sums.requests,
    failed: sums.failed,
    ...(sums.refused !== undefined && { refused: sums.refused }),
    usdCost: toUsd(sums.cost),
    microCost: sums.cost,
    inputTokens: sums.input,
    outputTokens: sums.output,
    cacheReadTokens: sums.cache_read,
    reasoningTokens: sums.reasoning,
    images: sums.images,
    seconds: sums.millis / 1_000,
    characters: sums.characters,
    ...percentilesOf(sums),
  };
}

/** The points of a reply. A series of months by the hour takes milliseconds, so that waiting requests run between two. */
async function toPoints(points: readonly UsagePoint[]): Promise<JsonObject[]> {
  await setImmediate();
  return points.map((point) => ({ at: momentOf(point.at), ...toSums(point) }));
}

/** The `most` greatest series by a measure, and the sum of all others as one series without a name. */
export async function toSeries(
  points: readonly UsagePoint[],
  measure: Measure,
  most: number,
): Promise<JsonObject[]> {
  const ranked: { name: string; group: UsagePoint[]; sum: UsageSums }[] = [];
  for (const [name, group] of Map.groupBy(points, ({ name = "" }) => name)) {
    await setImmediate();
    ranked.push({ name, group, sum: sumOf(group) });
  }
  ranked.sort((a, b) => MEASURES[measure](b.sum) - MEASURES[measure](a.sum) || (a.name < b.name ? -1 : 1));
  const series: JsonObject[] = [];
  for (const { name, group, sum } of ranked.slice(0, most))
    series.push({ name, total: toSums(sum), points: await toPoints(group) });
  const rest = ranked.slice(most).flatMap(({ group }) => group);
  if (rest.length === 0) return series;
  const times = [...Map.groupBy(rest, ({ at }) => at)].sort(([a], [b]) => a - b);
  const summed = times.map(([at, group]) => ({ at, ...sumOf(group) }));
  const total = toSums(sumOf(rest));
  return [...series, { count: ranked.length - most, total, points: await toPoints(summed) }];
}

/** The number of buckets in a range, possibly slightly more. */
export function bucketsIn(from: number, to: number, bucket: Bucket): number {
  const days = (to - bucketOf(from, bucket)) / 86_400_000;
  return Math.ceil({ hour: days * 24, day: days, week: days / 7, month: days / 28 }[bucket]);
}
