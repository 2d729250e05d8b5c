import { sql } from "kysely";
import { DAY, HOUR } from "../engine/durations.ts";
import type { Engine } from "../engine/engine.ts";
import { run } from "../engine/statement.ts";
import type { Contents } from "../requests/contents.ts";
import { errorName, type ProviderError } from "../requests/provider-errors.ts";
import type { Refusals } from "../requests/refusals.ts";
import type { Outcome } from "./generation.ts";
import type { GenerationFilter, OneOf } from "./generation-filter.ts";
import type { Latencies } from "./latencies.ts";
import type { UsagePoint } from "./points.ts";
import type { FailedCall, FailureCount, ServedEntry } from "./provider-calls.ts";
import { readFailureCounts, readFailures } from "./provider-rows.ts";
import { readRefused, readSeries } from "./read-series.ts";
import { createRepair } from "./repair.ts";
import { type RunningOut, readRunningOut } from "./running-out.ts";

/** The lengths of the parts into which a series cuts its range, all in UTC: see `bucketOf`. */
export const BUCKETS = ["hour", "day", "week", "month"] as const;
/** One of `BUCKETS`. */
export type Bucket = (typeof BUCKETS)[number];
/** The properties by which usage can be split; usage of several accounts can also be split by `account`. */
export const SPLITS = ["model", "key", "modality", "status", "surface", "entry"] as const;
export type Split = (typeof SPLITS)[number];

/** The range in whole hours, in ms, and the conditions on generations. */
export type SeriesFilter = Pick<GenerationFilter, "keyId" | "model" | "modality" | "surface"> & {
  /** Outcomes, and `refused` for requests that were refused before they had a generation. */
  status?: OneOf<Outcome | "refused">;
  /** The code of refusals: only requests that were refused with it. */
  code?: string;
  /** The ids of model entries. */
  entry?: OneOf<string>;
  /** Absent: all accounts. */
  accountId?: string;
  from: number;
  to: number;
  /** Only generations with a tag of this name and, if given, this value. */
  tag?: { name: string; value?: string };
};

/** The usage of ended generations, from their hourly sums. */
export interface Usage {
  /**
   * Sums by bucket, or over the whole range without one; empty buckets are left out. `tag` splits by the values of the
   * filter's tag; values beyond those with separate sums in an hour share an empty name.
   */
  series(
    filter: SeriesFilter,
    as: { by?: Split | "account" | "tag"; bucket?: Bucket },
  ): Promise<UsagePoint[]>;
  /** The spending of each account since a whole hour, in micro-USD; accounts without spending are left out. */
  spent(accountIds: readonly string[], from: number): Promise<ReadonlyMap<string, number>>;
  /**
   * The active accounts whose credit is less than their spending since `from`, a whole hour. Those with the smallest
   * share of it come first.
   */
  runningOut(from: number, limit: number): Promise<RunningOut[]>;
  /**
   * The number of refused requests that a filter chooses, whatever they are split by; `undefined` if they are not counted
   * by one of its conditions.
   */
  refused(filter: SeriesFilter): Promise<number | undefined>;
  /** The entries that served requests, by their ids, also those that are no longer in the catalog. */
  served(): Promise<ReadonlyMap<string, ServedEntry>>;
  /** Calls that failed or were followed by others, by hour and entry, in the order of time. */
  failures(range: { from: number; to: number }): Promise<FailureCount[]>;
  /** The last failed or refused calls of a provider, newest first, with its errors if they are kept. */
  failedCalls(provider: string, limit: number): Promise<(FailedCall & { error?: ProviderError })[]>;
  /**
   * Recomputes the sums and latencies if any sum differs from its generations; resolves to the number that differed.
   */
  repair(): Promise<number>;
  /** Merges what several processes have written of hours that are over. */
  expire(now: number): Promise<void>;
}

/** The beginning of the bucket that contains a moment, in UTC; weeks begin on Monday. */
export function bucketOf(at: number, bucket: Bucket): number {
  const day = at - (at % DAY);
  switch (bucket) {
    case "hour":
      return at - (at % HOUR);
    case "day":
      return day;
    case "week":
      // 1970-01-01 was a Thursday.
      return day - ((day + 3 * DAY) % (7 * DAY));
    case "month": {
      const date = new Date(day);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    }
  }
}

/** The parts of a store that usage is read with. */
interface UsageParts {
  latencies: Latencies;
  refusals: Pick<Refusals, "sums">;
  contents: Pick<Contents, "answersOf">;
}

export function createUsage(engine: Engine, { latencies, refusals, contents }: UsageParts): Usage {
  const { db } = engine;
  const repair = createRepair(engine);
  return {
    async spent(accountIds, from) {
      if (accountIds.length === 0) return new Map();
      const rows = await engine.delayed(() =>
        run(
          db
            .selectFrom("hourly_sums")
            .select(["account_id", sql<number>`CAST(SUM(cost) AS BIGINT)`.as("cost")])
            .where("account_id", "in", accountIds)
            .where("hour", ">=", from)
            .groupBy("account_id"),
        ),
      );
      return new Map(rows.map(({ account_id, cost }) => [account_id, cost]));
    },
    runningOut: (from, limit) => engine.delayed(() => readRunningOut(engine, from, limit)),
    async repair() {
      // The repair recomputes the latencies of all stored ends. Those still gathered here would then be counted twice.
      await latencies.flush();
      return repair();
    },
    async expire(now) {
      await latencies.expire(now);
    },
    async series(filter, as) {
      // Includes the latencies of the last second.
      await latencies.catchUp();
      return readSeries(engine, refusals, filter, as);
    },
    refused: (filter) => readRefused(refusals, filter),
    async served() {
      await latencies.catchUp();
      const rows = await engine.delayed(() => run(db.selectFrom("served_entries").selectAll()));
      return new Map(rows.map((row) => [row.entry, row]));
    },
    async failures(range) {
      await latencies.catchUp();
      return engine.delayed(() => readFailureCounts(engine, range));
    },
    async failedCalls(provider, limit) {
      await latencies.catchUp();
      return engine.delayed(function* () {
        const failed = yield* readFailures(engine, provider, limit);
        const refs = failed.map(({ generation, attempt, accountId, createdAt }) => ({
          ...{ id: errorName(generation, attempt), account: accountId, at: createdAt },
        }));
        const errors = yield* contents.answersOf(refs);
        return failed.map((one, at) => {
          const error = errors.get(refs[at]!.id);
          return error ? { ...one, error: { attempt: one.attempt, ...error } } : one;
        });
      });
    },
  };
}
