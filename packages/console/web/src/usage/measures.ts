import type { Answer, Query } from "../api/client.ts";
import { compact, count, counted, duration, usd } from "../format.ts";

/** Sums by time, of an account or of all; only those of all have the providers of entries. */
export type Series = Answer<"/api/admin/usage/series">;
export type Sums = Series["total"];

type Rank = NonNullable<Query<"/api/admin/usage/series">["measure"]>;

/** What measures are made of: totals have less than series. */
export type Counted = Pick<Sums, "requests" | "failed" | "refused">;

export interface Measure {
  title: string;
  of: (sums: Sums) => number | undefined;
  show: (value: number) => string;
  /** What series are ranked by where it is not a sum itself; such a measure is not stacked. */
  rank?: Rank;
}

const PERCENTILES: ReadonlySet<string> = new Set(["p50Ms", "p95Ms", "p50FirstMs", "p95FirstMs"]);

/**
 * The sums of all series by their buckets. Percentiles of durations are left out for several series, because they
 * cannot be computed from those of each.
 */
export function bucketSums({ series }: Pick<Series, "series">): Map<string, Sums> {
  if (series.length === 1) return new Map(series[0]?.points.map((point) => [point.at, point]));
  const sums = new Map<string, Sums>();
  for (const { at, ...point } of series.flatMap(({ points }) => points)) {
    const before = sums.get(at) as Record<string, number> | undefined;
    const entries = Object.entries(point).flatMap(([name, value]) =>
      typeof value === "number" && !PERCENTILES.has(name) ? [[name, value + (before?.[name] ?? 0)]] : [],
    );
    sums.set(at, Object.fromEntries(entries) as Sums);
  }
  return sums;
}

/** The bucket in which a measure is highest; none where it cannot be taken of all series together. */
export function highest(data: Pick<Series, "series">, { of }: Pick<Measure, "of">): string | undefined {
  let peak: { at: string; value: number } | undefined;
  for (const [at, sums] of bucketSums(data)) {
    const value = of(sums);
    if (value !== undefined && (peak === undefined || value > peak.value)) peak = { at, value };
  }
  return peak?.at;
}

/** All requests that were sent. */
const sentOf = ({ requests, refused = 0 }: Counted): number => requests + refused;
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const sum = (title: string, of: (sums: Sums) => number): Measure => ({ title, of, show: count });

/** What a chart of usage can show. */
export const MEASURES = {
  spend: { title: "Spend", of: ({ usdCost }) => usdCost, show: usd },
  /** All that were sent: refused ones have no record, and are counted beside. */
  requests: { title: "Requests", of: sentOf, show: count },
  inputTokens: sum("Input tokens", ({ inputTokens }) => inputTokens),
  outputTokens: sum("Output tokens", ({ outputTokens }) => outputTokens),
  cacheReadTokens: sum("Tokens read from a cache", ({ cacheReadTokens }) => cacheReadTokens),
  reasoningTokens: sum("Reasoning tokens", ({ reasoningTokens }) => reasoningTokens),
  images: sum("Images", ({ images }) => images),
  seconds: { title: "Seconds of media", of: ({ seconds }) => seconds, show: compact },
  characters: sum("Characters", ({ characters }) => characters),
  errors: {
    title: "Errors",
    of: ({ failed, refused = 0, requests }: Counted) =>
      requests + refused > 0 ? (failed + refused) / (requests + refused) : undefined,
    show: percent,
    rank: "failed",
  },
  refused: sum("Refused requests", ({ refused = 0 }) => refused),
  first: {
    ...{ title: "First token, median", of: ({ p50FirstMs }) => p50FirstMs },
    ...{ show: duration, rank: "requests" },
  },
  first95: {
    ...{ title: "First token, 95th percentile", of: ({ p95FirstMs }) => p95FirstMs },
    ...{ show: duration, rank: "requests" },
  },
  p50: { title: "Duration, median", of: ({ p50Ms }) => p50Ms, show: duration, rank: "requests" },
  p95: { title: "Duration, 95th percentile", of: ({ p95Ms }) => p95Ms, show: duration, rank: "requests" },
} as const satisfies Record<string, Measure>;

export type MeasureName = keyof typeof MEASURES;
/** The sum by which series of a measure are ranked. */
export const rankOf = (name: MeasureName): Rank => (MEASURES[name] as Measure).rank ?? (name as Rank);

export const isMeasure = (name: string | undefined): name is MeasureName =>
  name !== undefined && Object.hasOwn(MEASURES, name);

/** What the series of a name came to; unknown where it may be among those that are not named. */
export function spendOf({ series }: Series, name: string | undefined): number | undefined {
  const one = series.find((other) => other.name === name);
  if (one) return one.total.usdCost;
  return series.some((other) => other.name === undefined) ? undefined : 0;
}

/** How series are called: sessions have no key, and what is not named is one series. */
export const nameOf = (
  { name, displayName, served, count }: Series["series"][number],
  by: string | undefined,
): string =>
  name === undefined
    ? counted(count ?? 0, "other")
    : name === ""
      ? unnamed(by)
      : (displayName ?? (served ? `${served.provider} ${served.name}` : name));

/** The same of several series, where those of one name have their ids as well. */
export function namesOf(series: Series["series"], by: string | undefined): string[] {
  const names = series.map((one) => nameOf(one, by));
  return names.map((name, at) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${series[at]?.name})`,
  );
}

const UNNAMED: Record<string, string> = {
  ...{ key: "sessions", surface: "not known", entry: "none", provider: "not known" },
};
const unnamed = (by = ""): string => (by.startsWith("tag:") ? "further values" : (UNNAMED[by] ?? "all"));
