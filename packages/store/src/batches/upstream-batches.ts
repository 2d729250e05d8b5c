import { sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import { fromColumn, type JsonObject } from "../engine/json-columns.ts";
import { run } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import type { BatchRef } from "./batch.ts";
import { prepareLeased } from "./claim.ts";

/** A batch that a provider runs for lines of one batch. Times are ms. */
export interface UpstreamBatch {
  /** The id of the upstream batch, which its lines name. */
  id: string;
  /** The id of the batch whose lines it contains. */
  batch: string;
  /** The provider, the entry and the price at which it was sent. */
  terms: JsonObject;
  /** The number of its lines. */
  lines: number;
  /** The provider's id. Absent while it is unknown whether the provider has it. */
  remoteId?: string;
  /** The time just before it was sent. */
  createdAt: number;
  /** When the provider was asked to cancel it. */
  cancellingAt?: number;
  /** Its outcome, in the provider's terms or ours. Absent while it runs. */
  outcome?: string;
}

/** A change of an upstream batch. */
export type UpstreamChange =
  | { remoteId: string }
  | { cancellingAt: number }
  | { endedAt: number; outcome: string };

/** Upstream batches. Only the worker with the lease of a batch changes its upstream batches. */
export interface UpstreamBatches {
  /** Records an upstream batch before it is sent. False if the lease is lost: it must not be sent then. */
  open(ref: BatchRef, batch: Pick<UpstreamBatch, "id" | "terms" | "lines" | "createdAt">): Promise<boolean>;
  /** The upstream batches of a batch that have not ended, in the order in which they were sent. */
  live(batch: string): Promise<UpstreamBatch[]>;
  /** All upstream batches of a batch that are not forgotten. */
  all(batch: string): Promise<UpstreamBatch[]>;
  /** Records a change. Once an upstream batch has ended, its lines without an answer can be given back. */
  change(ref: BatchRef, id: string, change: UpstreamChange): Promise<boolean>;
  /** Removes the record of an upstream batch, once its batch has ended and nothing of it is left at the provider. */
  forget(id: string): Promise<void>;
}

const toUpstream = (row: Tables["upstream_batches"]): UpstreamBatch => ({
  id: row.id,
  batch: row.batch_id,
  terms: fromColumn(row.terms) ?? {},
  lines: row.lines,
  createdAt: row.created_at,
  ...(row.remote_id !== null && { remoteId: row.remote_id }),
  ...(row.cancelling_at !== null && { cancellingAt: row.cancelling_at }),
  ...(row.outcome !== null && { outcome: row.outcome }),
});

const toColumns = (change: UpstreamChange): Partial<Tables["upstream_batches"]> => {
  if ("remoteId" in change) return { remote_id: change.remoteId };
  if ("cancellingAt" in change) return { cancelling_at: change.cancellingAt };
  return { ended_at: change.endedAt, outcome: change.outcome };
};

export function createUpstreamBatches(engine: Engine): UpstreamBatches {
  const { db } = engine;
  const isLeased = prepareLeased(engine);
  return {
    open: (ref, { id, terms, lines, createdAt }) =>
      engine.write(function* () {
        if (!(yield* isLeased(ref))) return false;
        yield* run(
          db.insertInto("upstream_batches").values({
            ...{ id, batch_id: ref.id, terms: JSON.stringify(terms), lines, created_at: createdAt },
            ...{ remote_id: null, cancelling_at: null, ended_at: null, outcome: null },
          }),
        );
        return true;
      }),
    live: (batch) =>
      engine.read(function* () {
        const rows = db.selectFrom("upstream_batches").selectAll().where("batch_id", "=", batch);
        const live = rows.where("ended_at", "is", null).orderBy("created_at").orderBy("id");
        return (yield* run(live)).map(toUpstream);
      }),
    all: (batch) =>
      engine.read(function* () {
        const rows = db.selectFrom("upstream_batches").selectAll().where("batch_id", "=", batch);
        return (yield* run(rows.orderBy("created_at").orderBy("id"))).map(toUpstream);
      }),
    change: (ref, id, change) =>
      engine.write(function* () {
        if (!(yield* isLeased(ref))) return false;
        const changed = db.updateTable("upstream_batches").set(toColumns(change)).where("id", "=", id);
        const live = changed.where("batch_id", "=", ref.id).where(sql<boolean>`ended_at IS NULL`);
        return (yield* run(live.returning("id"))).length > 0;
      }),
    forget: (id) =>
      engine.write(
        function* () {
          yield* run(db.deleteFrom("upstream_batches").where("id", "=", id));
        },
        { soft: true },
      ),
  };
}
