import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import type { JsonObject } from "../engine/json-columns.ts";
import { first, param, prepare, run } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import { hasOneOf, type OneOf } from "../usage/generation-filter.ts";
import {
  type Batch,
  type BatchOutcome,
  type BatchRef,
  type BatchRow,
  type BatchState,
  type LineCounts,
  type NewBatch,
  toBatch,
  toBatchRow,
} from "./batch.ts";
import { prepareBatchClaim } from "./claim.ts";
import { type StoredFile, toFile, toFileRow } from "./file.ts";
import { IS_FREE } from "./files.ts";

interface OfAccount {
  id: string;
  accountId: string;
}

/** Conditions on batches, which must meet all of them; an absent member allows any. */
export interface BatchFilter {
  /** Absent: all accounts. */
  accountId?: string;
  /** The name of the surface. */
  surface?: string | undefined;
  /** The ids of keys. */
  keyId?: OneOf<string>;
  state?: OneOf<BatchState>;
  /** The earliest creation time, in ms. */
  from?: number;
  /** The end of the range of creation times, itself not included, in ms. */
  to?: number;
}

/** The end of a batch. */
export interface BatchEnd {
  /** When it ends, in ms. */
  at: number;
  /** How it ends. */
  outcome: BatchOutcome;
  /** Its lines by their outcome. */
  counts: LineCounts;
  /** Why it failed. */
  error?: JsonObject;
  /** The file of its answers. */
  output?: StoredFile;
  /** The file of its errors. */
  errors?: StoredFile;
}

/**
 * Batches. Only the worker that holds a batch's lease may move it on, until the lease expires. Writes of a worker that
 * has lost its lease change nothing and resolve to false.
 */
export interface StoredBatches {
  /**
   * Creates a batch, unless the account has `most` running batches (`busy`), or the file is missing or about to expire
   * (`missing`).
   */
  create(batch: NewBatch, terms: { most: number }): Promise<"created" | "busy" | "missing">;
  /** The account's batch of this id; another account's is not found. */
  get(ref: OfAccount): Promise<Batch | undefined>;
  /** A batch of any account. */
  find(id: string): Promise<Batch | undefined>;
  /** Lists batches, newest first: those after a given batch, or those before it. */
  list(
    filter: BatchFilter,
    page: { limit: number } & Partial<
      Record<"after" | "before", Pick<Batch, "id" | "createdAt"> | undefined>
    >,
  ): Promise<Batch[]>;
  /** Cancels a running batch: no further line is begun. Resolves to the changed batch. */
  cancel(ref: OfAccount, at: number): Promise<Batch | undefined>;
  /**
   * Removes an ended batch and the records of its files; the caller removes the contents of the returned files. False
   * while it runs.
   */
  remove(ref: OfAccount): Promise<{ files: StoredFile[] } | false | undefined>;
  /** Leases at most `most` due batches without a worker until `until`, the longest due first. */
  claim(owner: string, terms: { now: number; until: number; most: number }): Promise<Batch[]>;
  /** Extends the lease. Resolves to the current batch; undefined if the lease is lost. */
  renew(ref: BatchRef, until: number): Promise<Batch | undefined>;
  /** Releases the lease: any worker may claim the batch from `nextAt` (ms) on. */
  release(ref: BatchRef, nextAt: number): Promise<boolean>;
  /** When the next batch can be claimed, in ms; it may have passed. */
  nextDue(): Promise<number | undefined>;
  /**
   * Records that all its lines are read (`running`), or that all have ended (`writing`). Resolves to the changed batch;
   * undefined if the lease is lost.
   */
  enter(ref: BatchRef, phase: "running" | "writing", at: number, total?: number): Promise<Batch | undefined>;
  /** Ends a batch, in one commit with the records of its files. */
  end(ref: BatchRef, end: BatchEnd): Promise<boolean>;
  /** Records that nothing is left to do. */
  finish(ref: BatchRef): Promise<boolean>;
}

/** The state of a batch, as a `BatchState`. */
const STATE = sql`CASE WHEN outcome IS NOT NULL THEN outcome WHEN cancelling_at IS NOT NULL THEN 'cancelling'
  ELSE phase END`;

/**
 * No batch takes a file that expires in less than this, in ms: another process, whose clock is ahead, may remove it
 * earlier.
 */
const EXPIRING_MS = 60_000;

export function createStoredBatches(engine: Engine): StoredBatches {
  const { db, dialect } = engine;
  const matches = (
    row: ExpressionBuilder<Tables, "batches">,
    { accountId, surface, keyId, state, from, to }: BatchFilter,
  ): Expression<SqlBool>[] => [
    ...(accountId === undefined ? [] : [row("account_id", "=", accountId)]),
    ...(surface === undefined ? [] : [row("surface", "=", surface)]),
    ...(keyId === undefined ? [] : [hasOneOf("key_id", keyId, dialect)]),
    ...(state === undefined ? [] : [sql<SqlBool>`${STATE} IN (${sql.join([state].flat())})`]),
    ...(from === undefined ? [] : [row("created_at", ">=", from)]),
    ...(to === undefined ? [] : [row("created_at", "<", to)]),
  ];
  const ofWorker = (ref: BatchRef) =>
    sql<boolean>`id = ${ref.id} AND owner = ${ref.owner} AND attempt = ${ref.attempt} AND phase <> 'swept'`;
  const byId = prepare<OfAccount, BatchRow>(
    db,
    sql`SELECT * FROM batches WHERE id = ${param("id")} AND account_id = ${param("accountId")}`,
  );
  const move = (ref: BatchRef, changes: Partial<BatchRow>): Promise<Batch | undefined> =>
    engine.write(function* () {
      const moved = db.updateTable("batches").set(changes).where(ofWorker(ref)).returningAll();
      const row = yield* first(run(moved));
      return row && toBatch(row);
    });
  const filesOf = (rows: readonly StoredFile[]): Work<unknown> =>
    run(
      db
        .insertInto("files")
        .values(rows.map(toFileRow))
        .onConflict((on) => on.doNothing()),
    );

  return {
    ...prepareBatchClaim(engine),
    create: (batch, { most }) =>
      engine.write(function* () {
        const { accountId } = batch;
        // Locks the account, so that simultaneous creations count each other.
        yield* run(sql`SELECT id FROM accounts WHERE id = ${accountId} ${dialect.locks.shared}`.compile(db));
        const live = db
          .selectFrom("batches")
          .where("account_id", "=", accountId)
          .where("ended_at", "is", null);
        const [count] = yield* run(live.where("id", "<>", batch.id).select(sql<number>`count(*)`.as("live")));
        if (Number(count?.live ?? 0) >= most) return "busy" as const;
        const input = db.selectFrom("files").select("id").where("id", "=", batch.input);
        const kept = input
          .where("account_id", "=", accountId)
          .where((row) =>
            row.or([row("expires_at", "is", null), row("expires_at", ">", batch.createdAt + EXPIRING_MS)]),
          );
        if ((yield* run(kept.modifyEnd(dialect.locks.shared))).length === 0) return "missing" as const;
        yield* run(
          db
            .insertInto("batches")
            .values(toBatchRow(batch))
            .onConflict((on) => on.doNothing()),
        );
        return "created" as const;
      }),
    get: (ref) =>
      engine.read(function* () {
        const row = yield* first(byId(ref));
        return row && toBatch(row);
      }),
    find: (id) =>
      engine.read(function* () {
        const row = yield* first(run(db.selectFrom("batches").selectAll().where("id", "=", id)));
        return row && toBatch(row);
      }),
    list: (filter, { limit, after, before }) =>
      engine.report(function* () {
        let chosen = db
          .selectFrom("batches")
          .selectAll()
          .where((row) => row.and(matches(row, filter)));
        if (after) chosen = chosen.where(sql<boolean>`(created_at, id) < (${after.createdAt}, ${after.id})`);
        if (before)
          chosen = chosen.where(sql<boolean>`(created_at, id) > (${before.createdAt}, ${before.id})`);
        const order = before ? "asc" : "desc";
        const page = chosen.orderBy("created_at", order).orderBy("id", order).limit(limit);
        const found = (yield* run(page)).map(toBatch);
        return before ? found.reverse() : found;
      }),
    cancel: (ref, at) =>
      engine.write(function* () {
        yield* run(
          db
            .updateTable("batches")
            .set({ cancelling_at: at, next_at: at })
            .where("id", "=", ref.id)
            .where("account_id", "=", ref.accountId)
            .where("cancelling_at", "is", null)
            .where("phase", "in", ["reading", "running"]),
        );
        const row = yield* first(byId(ref));
        return row && toBatch(row);
      }),
    remove: (ref) =>
      engine.write(function* () {
        const row = yield* first(byId(ref));
        if (!row) return undefined;
        const removed = yield* run(
          db.deleteFrom("batches").where("id", "=", ref.id).where("phase", "=", "swept").returning("id"),
        );
        if (removed.length === 0) return false;
        const names = [row.input_file, row.output_file, row.error_file].filter((id) => id !== null);
        const chosen = db.selectFrom("files").select("id").where("id", "in", names);
        const locked = chosen.where("account_id", "=", ref.accountId).orderBy("id");
        const ids = (yield* run(locked.modifyEnd(dialect.locks.exclusive))).map(({ id }) => id);
        if (ids.length === 0) return { files: [] };
        // Another batch may still read the same file.
        const gone = db.deleteFrom("files").where("id", "in", ids).where(IS_FREE).returningAll();
        return { files: (yield* run(gone)).map(toFile) };
      }),
    enter: (ref, phase, at, total) =>
      move(ref, {
        phase,
        ...(phase === "running" ? { running_at: at } : { writing_at: at }),
        ...(total !== undefined && { total }),
      }),
    end: (ref, { at, outcome, counts, error, output, errors }) =>
      engine.write(function* () {
        const ended = yield* run(
          db
            .updateTable("batches")
            .set({
              phase: "sweeping",
              outcome,
              counts: JSON.stringify(counts),
              error: error ? JSON.stringify(error) : null,
              output_file: output?.id ?? null,
              error_file: errors?.id ?? null,
              ended_at: at,
            })
            .where(ofWorker(ref))
            .where("ended_at", "is", null)
            .returning("id"),
        );
        if (ended.length === 0) return false;
        const files = [output, errors].filter((file) => file !== undefined);
        if (files.length > 0) yield* filesOf(files);
        return true;
      }),
    finish: async (ref) => (await move(ref, { phase: "swept", owner: null, lease_until: 0 })) !== undefined,
  };
}
