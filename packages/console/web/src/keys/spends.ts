import { ACCOUNT_SERIES, ALL, useSeries } from "../usage/series.ts";
import { bucketsOf, lastDays } from "../usage/time.ts";

/** What a key spent in the last 30 days, in US dollars: in all, and on each day. */
export type SpendOf = (keyId: string) => { total: number; days: readonly number[] };

/** The most keys whose spend is read apart. */
const MOST = 50;

/** What each key of an account spent; undefined until it is read. Without an account, it is the one that signed in. */
export function useKeySpends(account?: string): SpendOf | undefined {
  const { from, to } = lastDays(30);
  const query = { from, to, bucket: "day", by: "key", measure: "spend", top: MOST } as const;
  const { data } = useSeries(
    account === undefined ? query : { ...query, account },
    account === undefined ? ACCOUNT_SERIES : ALL,
  );
  if (!data) return undefined;
  const times = bucketsOf(from, to, "day");
  const byKey = new Map(
    data.series.map(({ name, total, points }) => {
      const costs = new Map(points.map(({ at, usdCost }) => [at, usdCost]));
      return [name, { total: total.usdCost, days: times.map((at) => costs.get(at) ?? 0) }];
    }),
  );
  return (keyId) => byKey.get(keyId) ?? { total: 0, days: times.map(() => 0) };
}
