import { type SqlBool, sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import { toColumn } from "../engine/json-columns.ts";
import { first, param, prepare, run } from "../engine/statement.ts";
import type { Leases } from "../leases/leases.ts";
import type { Ending } from "../money/money.ts";
import type { Alerts } from "../outbox/alerts.ts";
import { toAmountFrom } from "../pricing/amount.ts";
import type { Contents } from "../requests/contents.ts";
import { hasOneOf, type OneOf } from "../usage/generation-filter.ts";
import type { Latencies } from "../usage/latencies.ts";
import { type Asset, preparePutAsset } from "./assets.ts";
import { type Begun, type ExtraWrites, prepareBegin } from "./begin.ts";
import { prepareClaim } from "./claim.ts";
import { prepareEndGeneration } from "./end-generation.ts";
import {
  type Job,
  type JobError,
  type JobKind,
  type JobRow,
  type JobState,
  type NewJob,
  toJob,
} from "./job.ts";
import { type JobMove, type Moved, prepareMove } from "./move.ts";

/** A reference to a job, as one worker claimed it. */
export interface JobRef {
  id: string;
  owner: string;
  attempt: number;
  /** The account, if the caller knows it: ends of one account can then be written together. */
  accountId?: string;
}

/** A worker's changes of a running job. Absent members stay as they are. */
export interface JobNote {
  at: number;
  phase?: Job["phase"];
  upstreamId?: string;
  state?: "queued" | "running";
  result?: Job["result"];
  course?: Job["course"];
  tries?: number;
  polls?: number;
  /** The time of the next claim: the lease is released until then. */
  nextAt?: number;
}

/** The end of a job. */
export interface JobEnd {
  /** When it ends, in ms. */
  at: number;
  /** The final state. */
  state: Exclude<JobState, "queued" | "running">;
  /** What was made; absent if nothing was. */
  result?: Job["result"];
  /** Why it failed or was cancelled. */
  error?: JobError;
  /** Whether the provider may have worked without a result reaching this service. Default: false. */
  orphan?: boolean;
  /** The end of its generation: `cost` 0 gives the whole hold back. Ignored if nothing is billed. */
  ending?: Omit<Ending, "id" | "status"> & { cost: number };
  /** The assets that are created or changed in the same commit. */
  assets?: readonly Asset[];
}

export interface JobFilter {
  /** Absent: all accounts. */
  accountId?: string;
  keyId?: OneOf<string>;
  kinds?: readonly JobKind[];
  /** `true`: running jobs. `false`: ended jobs. */
  live?: boolean;
  /** The first moment of their beginnings, in ms. */
  from?: number;
  /** The moment before which they began, in ms. */
  to?: number;
  /** Only jobs after this one in the list. */
  after?: Pick<Job, "id" | "createdAt">;
}

/**
 * Jobs. Only the worker that holds a job's lease may work on it, until the lease expires. Writes of a worker that has
 * lost its lease change nothing and resolve to false.
 */
export interface StoredJobs {
  /**
   * Creates a job in one commit with its hold, its asset, and the retention of the assets that it needs; or refuses and
   * changes nothing. Repeating a call with the same id has no further effect.
   */
  create(job: NewJob, extraWrites?: ExtraWrites): Promise<Begun>;
  /** Leases at most `most` due jobs without a worker until `until`, the longest due first. */
  claim(
    owner: string,
    terms: { now: number; until: number; most: number; kinds: readonly JobKind[] },
  ): Promise<Job[]>;
  renew(ref: JobRef, until: number): Promise<boolean>;
  note(ref: JobRef, note: JobNote): Promise<boolean>;
  /**
   * Moves a job that no provider has accepted to another entry, in one commit with its price, its hold and its
   * generation's record. If the balance or a cap does not allow the hold, nothing changes.
   */
  move(ref: JobRef, move: JobMove): Promise<Moved>;
  /** Ends a job once: its state, its generation and charge, and its assets, in one commit. */
  finish(ref: JobRef, end: JobEnd): Promise<boolean>;
  /** Cancels a job that was not sent to a provider yet, and gives its hold back; false if it is too late. */
  cancel(
    ref: { id: string; accountId: string },
    end: { at: number; error: JobError; durationMs: number },
  ): Promise<boolean>;
  /** The time at which the next job of these kinds can be claimed, in ms; it may have passed. */
  nextDue(kinds: readonly JobKind[]): Promise<number | undefined>;
  /** The account's job of this id, or of this id at the provider; another account's is not found. */
  get(ref: { id: string; accountId: string }): Promise<Job | undefined>;
  /** The job of this id, of any account. */
  find(id: string): Promise<Job | undefined>;
  /** Newest first, without their number, which is counted row by row. */
  newest(filter: JobFilter, limit: number): Promise<Job[]>;
  /** Newest first, with their number. */
  list(
    filter: JobFilter & { accountId: string },
    page: { offset: number; limit: number },
  ): Promise<{ results: Job[]; total: number }>;
  /** Jobs that providers may have worked on without a known result, newest first, for an operator to check. */
  orphans(page: { offset: number; limit: number }): Promise<Job[]>;
  /** Ended jobs whose attachment still exists. */
  attached(most: number): Promise<{ id: string; attachment: string }[]>;
  /** Records that the attachment of an ended job is deleted. */
  detach(id: string): Promise<void>;
  /** The number of running jobs of each kind and state, and the time at which the oldest began. */
  depth(): Promise<{ kind: JobKind; state: JobState; count: number; oldest: number }[]>;
  /** The ids of those among these jobs that are running. */
  live(ids: readonly string[]): Promise<string[]>;
}

export function createStoredJobs(
  engine: Engine,
  leases: Leases,
  owner: string,
  { contents, alerts, latencies }: { contents: Contents; alerts: Alerts; latencies: Latencies },
): StoredJobs {
  const { db } = engine;
  const { endGeneration, noted } = prepareEndGeneration(engine, { alerts, latencies });
  const putAsset = preparePutAsset(engine);
  const ofWorker = sql`id = ${param("id")} AND owner = ${param("owner")} AND attempt = ${param("attempt")}
    AND ended_at IS NULL`;
  const renew = prepare<object, { id: string }>(
    db,
    sql`UPDATE jobs SET lease_until = ${param("until")} WHERE ${ofWorker} RETURNING id`,
  );
  const setUnlessNull = (column: string) =>
    sql`${sql.ref(column)} = COALESCE(${param(column)}, ${sql.ref(column)})`;
  const NOTED = ["phase", "upstream_id", "state", "result", "course", "tries", "polls", "next_at"];
  const note = prepare<object, { id: string }>(
    db,
    sql`UPDATE jobs SET ${sql.join(NOTED.map(setUnlessNull))}, updated_at = ${param("at")},
        lease_until = COALESCE(${param("lease_until")}, lease_until)
      WHERE ${ofWorker} RETURNING id`,
  );
  const ENDED = sql`RETURNING kind, account_id, key_id, model`;
  type EndedRow = Pick<JobRow, "kind" | "account_id" | "key_id" | "model">;
  const finish = prepare<object, EndedRow>(
    db,
    sql`UPDATE jobs SET state = ${param("state")}, result = ${param("result")}, error = ${param("error")},
        orphan = ${param("orphan")}, owner = NULL, lease_until = 0, updated_at = ${param("at")},
        ended_at = ${param("at")}, ask = NULL, course = NULL
      WHERE ${ofWorker} ${ENDED}`,
  );
  const cancel = prepare<object, EndedRow>(
    db,
    sql`UPDATE jobs SET state = 'cancelled', result = NULL, error = ${param("error")}, owner = NULL,
        lease_until = 0, updated_at = ${param("at")}, ended_at = ${param("at")}, ask = NULL,
        course = NULL
      WHERE id = ${param("id")} AND account_id = ${param("accountId")} AND ended_at IS NULL
        AND phase = 'unsent' AND kind <> 'asset' ${ENDED}`,
  );
  const byId = prepare<{ id: string; accountId: string }, JobRow>(
    db,
    sql`SELECT * FROM jobs WHERE id = ${param("id")} AND account_id = ${param("accountId")}`,
  );
  const byUpstream = prepare<{ id: string; accountId: string }, JobRow>(
    db,
    sql`SELECT * FROM jobs WHERE upstream_id = ${param("id")} AND account_id = ${param("accountId")}
      ORDER BY created_at DESC LIMIT 1`,
  );
  const matching = ({ accountId, keyId, kinds, live, from, to, after }: JobFilter) =>
    db
      .selectFrom("jobs")
      .where((row) =>
        row.and([
          ...(accountId === undefined ? [] : [row("account_id", "=", accountId)]),
          ...(keyId === undefined ? [] : [hasOneOf("key_id", keyId, engine.dialect)]),
          ...(kinds === undefined ? [] : [row("kind", "in", kinds)]),
          ...(live === undefined ? [] : [row("ended_at", live ? "is" : "is not", null)]),
          ...(from === undefined ? [] : [row("created_at", ">=", from)]),
          ...(to === undefined ? [] : [row("created_at", "<", to)]),
          ...(after === undefined
            ? []
            : [sql<SqlBool>`(created_at, id) < (${after.createdAt}, ${after.id})`]),
        ]),
      );
  const newest = (selection: ReturnType<typeof matching>) =>
    selection.selectAll().orderBy("created_at", "desc").orderBy("id", "desc");

  return {
    ...prepareBegin(engine, leases, owner, contents),
    ...prepareClaim(engine),
    ...prepareMove(engine, leases, ofWorker),
    renew: (ref, until) =>
      engine.write(
        function* () {
          return (yield* renew({ ...ref, until })).length > 0;
        },
        { soft: true },
      ),
    note: (ref, { at, ...progress }) =>
      engine.write(function* () {
        const values = {
          phase: progress.phase ?? null,
          upstream_id: progress.upstreamId ?? null,
          state: progress.state ?? null,
          result: toColumn(progress.result),
          course: toColumn(progress.course),
          tries: progress.tries ?? null,
          polls: progress.polls ?? null,
          next_at: progress.nextAt ?? null,
          lease_until: progress.nextAt === undefined ? null : 0,
        };
        return (yield* note({ ...ref, ...values, at })).length > 0;
      }),
    finish(ref, { at, state, result, error, orphan = false, ending, assets = [] }) {
      const { cost = 0, ...rest } = ending ?? {};
      toAmountFrom(0, cost, "cost");
      const values = { state, result: toColumn(result), orphan: Number(orphan), at };
      const text = error === undefined ? null : JSON.stringify(error);
      return noted(
        engine.write(
          function* () {
            const ended = yield* first(finish({ ...ref, ...values, error: text }));
            if (ended === undefined) return false;
            for (const asset of assets) yield* putAsset(asset);
            const closing = { ...rest, id: ref.id, status: state, cost };
            const noted = ended.kind === "asset" || (yield* endGeneration(closing));
            const payload = { state, cost, orphan, ...(error && { error: error.kind }), at };
            yield* alerts.jobEnded(ref.id, ended, payload);
            return noted;
          },
          { account: ref.accountId },
        ),
      );
    },
    cancel: (ref, { at, error, durationMs }) =>
      noted(
        engine.write(
          function* () {
            const ended = yield* first(cancel({ ...ref, at, error: JSON.stringify(error) }));
            if (ended === undefined) return false;
            const noted = yield* endGeneration({ id: ref.id, status: "cancelled", durationMs, cost: 0 });
            const payload = { state: "cancelled", cost: 0, orphan: false, error: error.kind, at } as const;
            yield* alerts.jobEnded(ref.id, ended, payload);
            return noted;
          },
          { account: ref.accountId },
        ),
      ),
    get: (ref) =>
      engine.read(function* () {
        const row = (yield* first(byId(ref))) ?? (yield* first(byUpstream(ref)));
        return row && toJob(row);
      }),
    find: (id) =>
      engine.read(function* () {
        const row = yield* first(run(db.selectFrom("jobs").selectAll().where("id", "=", id)));
        return row && toJob(row);
      }),
    newest: (filter, limit) =>
      engine.report(function* () {
        return (yield* run(newest(matching(filter)).limit(limit))).map(toJob);
      }),
    list: (filter, { offset, limit }) =>
      engine.report(function* () {
        const chosen = matching(filter);
        const rows = yield* run(newest(chosen).offset(offset).limit(limit));
        const [count] = yield* run(chosen.select(sql<number>`count(*)`.as("total")));
        return { results: rows.map(toJob), total: count!.total };
      }),
    orphans: ({ offset, limit }) =>
      engine.report(function* () {
        const chosen = db.selectFrom("jobs").selectAll().where("orphan", "=", sql.lit(1));
        const rows = yield* run(chosen.orderBy("created_at", "desc").offset(offset).limit(limit));
        return rows.map(toJob);
      }),
    attached: (most) =>
      engine.read(function* () {
        const chosen = db.selectFrom("jobs").select(["id", "attachment"]).orderBy("id").limit(most);
        const rows = yield* run(chosen.where("attachment", "is not", null).where("ended_at", "is not", null));
        return rows.map(({ id, attachment }) => ({ id, attachment: attachment! }));
      }),
    detach: (id) =>
      engine.write(
        function* () {
          yield* run(
            db
              .updateTable("jobs")
              .set({ attachment: null })
              .where("id", "=", id)
              .where("ended_at", "is not", null),
          );
        },
        { soft: true },
      ),
    depth: () =>
      engine.read(function* () {
        const chosen = db.selectFrom("jobs").where("ended_at", "is", null).groupBy(["kind", "state"]);
        const counted = [
          sql<number>`count(*)`.as("count"),
          sql<number>`min(created_at)`.as("oldest"),
        ] as const;
        const rows = yield* run(chosen.select(["kind", "state", ...counted]));
        return rows.map((row) => ({ ...row, kind: row.kind as JobKind, state: row.state as JobState }));
      }),
    live: (ids) =>
      engine.read(function* () {
        if (ids.length === 0) return [];
        const chosen = db.selectFrom("jobs").select("id").where("id", "in", ids);
        return (yield* run(chosen.where("ended_at", "is", null))).map(({ id }) => id);
      }),
  };
}
