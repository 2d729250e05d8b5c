import { sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import { run } from "../engine/statement.ts";
import { type GenerationFilter, matches } from "./generation-filter.ts";
import { COMPARED } from "./ranking.ts";
import { walk } from "./walk.ts";

/** The sums over generations. */
export interface Totals {
  requests: number;
  failed: number;
  /** In micro-USD. */
  cost: number;
  /** The durations that half of them and 95 of 100 did not exceed; absent without any. */
  p50Ms?: number;
  p95Ms?: number;
  /** Present if older generations were left out: the time from which on all were added. */
  since?: number;
}

/** Adds up the newest matching generations one by one, for filters with conditions by which no sums are kept. */
export async function addUp(engine: Engine, filter: GenerationFilter): Promise<Totals> {
  const { db, dialect } = engine;
  const durations = new Map<number, number>();
  const totals: Totals = { requests: 0, failed: 0, cost: 0 };
  let since: number | undefined;
  for await (const { part, isOldest } of walk(engine, filter, { most: COMPARED })) {
    const selection = db
      .selectFrom("generations")
      .where((row) => matches(row, part, dialect))
      .select([
        "duration_ms as ms",
        sql<number>`CAST(COUNT(*) AS BIGINT)`.as("requests"),
        sql<number>`CAST(SUM(CASE status WHEN 'failed' THEN 1 ELSE 0 END) AS BIGINT)`.as("failed"),
        sql<number>`CAST(COALESCE(SUM(cost), 0) AS BIGINT)`.as("cost"),
      ])
      .groupBy("duration_ms");
    for (const { ms, requests, failed, cost } of await engine.delayed(() => run(selection))) {
      totals.requests += requests;
      totals.failed += failed;
      totals.cost += cost;
      if (ms !== null) durations.set(ms, (durations.get(ms) ?? 0) + requests);
    }
    since = isOldest ? undefined : part.from;
  }
  const [p50Ms, p95Ms] = [quantileOf(durations, 0.5), quantileOf(durations, 0.95)];
  return {
    ...totals,
    ...(p50Ms !== undefined && p95Ms !== undefined && { p50Ms, p95Ms }),
    ...(since !== undefined && { since }),
  };
}

/** The smallest duration that a share of the requests did not exceed. */
function quantileOf(durations: ReadonlyMap<number, number>, share: number): number | undefined {
  const sorted = [...durations].sort(([a], [b]) => a - b);
  let left = share * sorted.reduce((sum, [, count]) => sum + count, 0);
  for (const [ms, count] of sorted) {
    left -= count;
    if (left <= 0) return ms;
  }
  return undefined;
}
