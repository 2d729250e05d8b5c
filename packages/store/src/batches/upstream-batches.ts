import { sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import { fromColumn, type JsonObject } from "../engine/json-columns.ts";
import { run } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import type { BatchRef } from "./batch.ts";
import { prepareLeased } from "./claim.ts";

/** A batch that a provider runs for lines of one batch. Times are ms. */
export interface UpstreamBatch {
  /** The id under which lines are sent with it. */
  id: string;
  /** The batch whose lines it has. */
  batch: string;
  /** Where it is sent, and on which terms. */
  terms: JsonObject;
  /** The number of its lines. */
  lines: number;
  /** The provider's id. Absent: it is not known whether the provider has it. */
  remoteId?: string;
  /** When it was about to be sent. */
  createdAt: number;
  /** When the provider was asked to cancel it. */
  cancellingAt?: number;
  /** How it ended, in the provider's words or ours. Absent while it runs. */
  outcome?: string;
}

/** What becomes known of such a batch. */
export type UpstreamChange =
  | { remoteId: string }
  | { cancellingAt: number }
  | { endedAt: number; outcome: string };

/** The batches of providers. Only the worker that holds the lease of their batch writes them. */
export interface UpstreamBatches {
  /** Records a batch before it is sent. False if the lease is lost: it must not be sent then. */
  open(ref: BatchRef, batch: Pick<UpstreamBatch, "id" | "terms" | "lines" | "createdAt">): Promise<boolean>;
  /** Those of a batch that have not ended, in the order in which they were sent. */
  live(batch: string): Promise<UpstreamBatch[]>;
  /** All of a batch, until they are forgotten. */
  all(batch: string): Promise<UpstreamBatch[]>;
  /** Records what became known. Once a batch has ended, its lines without an answer can be given back. */
  change(ref: BatchRef, id: string, change: UpstreamChange): Promise<boolean>;
  /** Removes the record of one that has nothing left to do, after the end of its batch. */
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
