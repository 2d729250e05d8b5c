import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import { first, param, prepare } from "../engine/statement.ts";
import { type BatchRef, type BatchRow, toBatch } from "./batch.ts";
import type { StoredBatches } from "./batches.ts";

/**
 * Claims due batches. The condition is part of the write as well as of the choice before it, so that of several workers
 * that chose the same batch only one gets it.
 */
export function prepareBatchClaim(
  engine: Engine,
): Pick<StoredBatches, "claim" | "renew" | "release" | "nextDue"> {
  const { db, dialect } = engine;
  const free = sql`phase <> 'swept' AND next_at <= ${param("now")} AND lease_until <= ${param("now")}`;
  const ofWorker = sql`id = ${param("id")} AND owner = ${param("owner")} AND attempt = ${param("attempt")}
    AND phase <> 'swept'`;
  const claim = prepare<object, BatchRow>(
    db,
    sql`WITH due AS MATERIALIZED (
        SELECT id FROM batches WHERE ${free} ORDER BY next_at, id LIMIT ${param("most")} ${dialect.locks.skipLocked})
      UPDATE batches SET owner = ${param("owner")}, lease_until = ${param("until")}, attempt = attempt + 1
      WHERE id IN (SELECT id FROM due) AND ${free} RETURNING *`,
  );
  const renew = prepare<object, BatchRow>(
    db,
    sql`UPDATE batches SET lease_until = ${param("until")} WHERE ${ofWorker} RETURNING *`,
  );
  const release = prepare<object, { id: string }>(
    db,
    sql`UPDATE batches SET owner = NULL, lease_until = 0, next_at = ${param("nextAt")}
      WHERE ${ofWorker} RETURNING id`,
  );
  const due = prepare<object, { at: number | null }>(
    db,
    sql`SELECT MIN(CASE WHEN lease_until > next_at THEN lease_until ELSE next_at END) AS at
      FROM batches WHERE phase <> 'swept'`,
  );
  return {
    claim: (owner, terms) =>
      engine.write(function* () {
        return (yield* claim({ ...terms, owner })).map(toBatch);
      }),
    renew: (ref, until) =>
      engine.write(
        function* () {
          const row = yield* first(renew({ ...ref, until }));
          return row && toBatch(row);
        },
        { soft: true },
      ),
    release: (ref, nextAt) =>
      engine.write(function* () {
        return (yield* release({ ...ref, nextAt })).length > 0;
      }),
    nextDue: () =>
      engine.read(function* () {
        return (yield* first(due({})))?.at ?? undefined;
      }),
  };
}

/** A condition: the worker has the lease. It locks the batch, so that no other can claim it meanwhile. */
export function prepareLeased({ db, dialect }: Engine): (ref: BatchRef) => Work<boolean> {
  const leased = prepare<object, { id: string }>(
    db,
    sql`SELECT id FROM batches WHERE id = ${param("id")} AND owner = ${param("owner")}
      AND attempt = ${param("attempt")} AND ended_at IS NULL ${dialect.locks.shared}`,
  );
  return function* (ref) {
    return (yield* first(leased({ ...ref }))) !== undefined;
  };
}
