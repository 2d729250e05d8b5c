import { sql } from "kysely";
import { toAmountFrom } from "../amount.ts";
import type { Engine, Work } from "../engine/engine.ts";
import { first, param, prepare, run } from "../engine/statement.ts";
import { toColumn } from "../json.ts";
import type { Leases } from "../leases/leases.ts";
import { type End, prepareEnd } from "../money/end.ts";
import type { Ending } from "../money/money.ts";
import type { Alerts } from "../outbox/alerts.ts";
import type { RecordOptions } from "../record-options.ts";
import { type Asset, preparePutAsset } from "./assets.ts";
import { type Begun, type Beside, prepareBegin } from "./begin.ts";
import { prepareClaim } from "./claim.ts";
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

/** A job as one worker took it up. */
export interface JobRef {
  id: string;
  owner: string;
  attempt: number;
  /** The owner, where it is at hand: ends of one account can then be written together. */
  accountId?: string;
}

/** A worker's findings about a job that goes on. What is absent stays. */
export interface JobNote {
  at: number;
  phase?: Job["phase"];
  upstreamId?: string;
  state?: "queued" | "running";
  result?: Job["result"];
  course?: Job["course"];
  tries?: number;
  polls?: number;
  /** The time at which to take it up again: its lease is given back. */
  nextAt?: number;
}

/** The end of a job. */
export interface JobEnd {
  at: number;
  state: Exclude<JobState, "queued" | "running">;
  result?: Job["result"];
  error?: JobError;
  orphan?: boolean;
  /** Of its generation: `cost` 0 gives the whole hold back. Not read where nothing is billed. */
  ending?: Omit<Ending, "id" | "status"> & { cost: number };
  /** Assets that are made, or change, with it. */
  assets?: readonly Asset[];
}

export interface JobFilter {
  accountId: string;
  keyId?: string;
  kinds?: readonly JobKind[];
  /** `true`: those that go on. `false`: those that have ended. */
  live?: boolean;
  /** Only those that the list has behind this one. */
  after?: Pick<Job, "id" | "createdAt">;
}

/**
 * Jobs, each of which one worker at a time may take a step further: the one that holds its lease, until that runs out.
 * Writes of a worker that has lost its lease change nothing and answer false.
 */
export interface StoredJobs {
  /**
   * Begins a job in one commit with the hold for it, the asset that is to become of it, and the keeping of those it
   * needs, or refuses and leaves no trace. Creating again under one id is the same job.
   */
  create(job: NewJob, beside?: Beside): Promise<Begun>;
  /** Leases at most `most` due jobs that no worker holds, the longest due first, until `until`. */
  claim(
    owner: string,
    terms: { now: number; until: number; most: number; kinds: readonly JobKind[] },
  ): Promise<Job[]>;
  renew(ref: JobRef, until: number): Promise<boolean>;
  note(ref: JobRef, note: JobNote): Promise<boolean>;
  /**
   * Takes a job that no provider has to another entry, in one commit: its price and hold, and the record of its
   * generation with it. Where the credit or a cap does not allow the hold, nothing changes.
   */
  move(ref: JobRef, move: JobMove): Promise<Moved>;
  /** Ends a job once: its state, its generation and charge, and its assets, in one commit. */
  finish(ref: JobRef, end: JobEnd): Promise<boolean>;
  /** Ends a job that was not sent to a provider yet, and gives its hold back; false where it is too late for that. */
  cancel(
    ref: { id: string; accountId: string },
    end: { at: number; error: JobError; durationMs: number },
  ): Promise<boolean>;
  /** When the next job of these kinds can be taken up, in ms; that may have passed. */
  nextDue(kinds: readonly JobKind[]): Promise<number | undefined>;
  /** The account's job of this id, or of this id of its provider's; another account's is not found. */
  get(ref: { id: string; accountId: string }): Promise<Job | undefined>;
  /** Newest first. */
  list(
    filter: JobFilter,
    page: { offset: number; limit: number },
  ): Promise<{ results: Job[]; total: number }>;
  /** Jobs that providers may have worked on without our hearing of it, newest first: an operator looks into them. */
  orphans(page: { offset: number; limit: number }): Promise<Job[]>;
  /** Ended jobs whose attachment is still there. */
  attached(most: number): Promise<{ id: string; attachment: string }[]>;
  /** Notes that the attachment of an ended job is gone. */
  detach(id: string): Promise<void>;
  /** The jobs that go on: how many of each kind and state, and when the oldest of them began. */
  depth(): Promise<{ kind: JobKind; state: JobState; count: number; oldest: number }[]>;
  /** Those of these jobs that go on. */
  live(ids: readonly string[]): Promise<string[]>;
}

export function createStoredJobs(
  engine: Engine,
  leases: Leases,
  owner: string,
  { records, alerts }: { records: RecordOptions; alerts: Alerts },
): StoredJobs {
  const { db } = engine;
  const end = prepareEnd(engine, { alerts });
  /** A job that goes on has a generation that is pending: the commit does not stand without the end of that one. */
  function* endGeneration(ending: End): Work<void> {
    const [ended] = yield* end([ending]);
    if (ended?.outcome !== "written") throw new Error(`the generation of job "${ending.id}" is not pending`);
  }
  const putAsset = preparePutAsset(engine);
  const mine = sql`id = ${param("id")} AND owner = ${param("owner")} AND attempt = ${param("attempt")}
    AND ended_at IS NULL`;
  const renew = prepare<object, { id: string }>(
    db,
    sql`UPDATE jobs SET lease_until = ${param("until")} WHERE ${mine} RETURNING id`,
  );
  const kept = (column: string) => sql`${sql.ref(column)} = COALESCE(${param(column)}, ${sql.ref(column)})`;
  const NOTED = ["phase", "upstream_id", "state", "result", "course", "tries", "polls", "next_at"];
  const note = prepare<object, { id: string }>(
    db,
    sql`UPDATE jobs SET ${sql.join(NOTED.map(kept))}, updated_at = ${param("at")},
        lease_until = COALESCE(${param("lease_until")}, lease_until)
      WHERE ${mine} RETURNING id`,
  );
  const ENDED = sql`RETURNING kind, account_id, key_id, model`;
  type EndedRow = Pick<JobRow, "kind" | "account_id" | "key_id" | "model">;
  const finish = prepare<object, EndedRow>(
    db,
    sql`UPDATE jobs SET state = ${param("state")}, result = ${param("result")}, error = ${param("error")},
        orphan = ${param("orphan")}, owner = NULL, lease_until = 0, updated_at = ${param("at")},
        ended_at = ${param("at")}, ask = NULL, course = NULL
      WHERE ${mine} ${ENDED}`,
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

  return {
    ...prepareBegin(engine, leases, owner, records),
    ...prepareClaim(engine),
    ...prepareMove(engine, leases, mine),
    renew: (ref, until) =>
      engine.write(
        function* () {
          return (yield* renew({ ...ref, until })).length > 0;
        },
        { soft: true },
      ),
    note: (ref, { at, ...said }) =>
      engine.write(function* () {
        const values = {
          phase: said.phase ?? null,
          upstream_id: said.upstreamId ?? null,
          state: said.state ?? null,
          result: toColumn(said.result),
          course: toColumn(said.course),
          tries: said.tries ?? null,
          polls: said.polls ?? null,
          next_at: said.nextAt ?? null,
          lease_until: said.nextAt === undefined ? null : 0,
        };
        return (yield* note({ ...ref, ...values, at })).length > 0;
      }),
    finish(ref, { at, state, result, error, orphan = false, ending, assets = [] }) {
      const { cost = 0, ...rest } = ending ?? {};
      toAmountFrom(0, cost, "cost");
      const values = { state, result: toColumn(result), orphan: Number(orphan), at };
      const text = error === undefined ? null : JSON.stringify(error);
      return engine.write(
        function* () {
          const ended = yield* first(finish({ ...ref, ...values, error: text }));
          if (ended === undefined) return false;
          for (const asset of assets) yield* putAsset(asset);
          const closing = { ...rest, id: ref.id, status: state, cost };
          if (ended.kind !== "asset") yield* endGeneration(closing);
          const told = { state, cost, orphan, ...(error && { error: error.kind }), at };
          yield* alerts.jobEnded(ref.id, ended, told);
          return true;
        },
        { account: ref.accountId },
      );
    },
    cancel: (ref, { at, error, durationMs }) =>
      engine.write(
        function* () {
          const ended = yield* first(cancel({ ...ref, at, error: JSON.stringify(error) }));
          if (ended === undefined) return false;
          yield* endGeneration({ id: ref.id, status: "cancelled", durationMs, cost: 0 });
          const told = { state: "cancelled", cost: 0, orphan: false, error: error.kind, at } as const;
          yield* alerts.jobEnded(ref.id, ended, told);
          return true;
        },
        { account: ref.accountId },
      ),
    get: (ref) =>
      engine.read(function* () {
        const row = (yield* first(byId(ref))) ?? (yield* first(byUpstream(ref)));
        return row && toJob(row);
      }),
    list: ({ accountId, keyId, kinds, live, after }, { offset, limit }) =>
      engine.report(function* () {
        let chosen = db.selectFrom("jobs").where("account_id", "=", accountId);
        if (keyId !== undefined) chosen = chosen.where("key_id", "=", keyId);
        if (kinds !== undefined) chosen = chosen.where("kind", "in", kinds);
        if (live !== undefined) chosen = chosen.where("ended_at", live ? "is" : "is not", null);
        if (after !== undefined)
          chosen = chosen.where(sql<boolean>`(created_at, id) < (${after.createdAt}, ${after.id})`);
        const page = chosen.selectAll().orderBy("created_at", "desc").orderBy("id", "desc");
        const rows = yield* run(page.offset(offset).limit(limit));
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
