import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import { first, param, prepare } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";
import { SPEND } from "../money/pay-costs.ts";

/**
 * The work of giving back the lease of a dead process, unless a generation admitted from it is pending. The row is
 * locked before that check, because the process can record a generation only together with its lease.
 */
export function prepareEndLease({ db, dialect }: Engine): (id: string) => Work<void> {
  const lock = prepare<{ id: string }, Tables["leases"]>(
    db,
    db.selectFrom("leases").selectAll().where("id", "=", param("id")).modifyEnd(dialect.locks.exclusive),
  );
  const pending = prepare<{ owner: string; id: string }, { id: string }>(
    db,
    sql`SELECT id FROM generations WHERE owner = ${param("owner")} AND status = 'pending' AND lease = ${param("id")}
      LIMIT 1`,
  );
  const remove = prepare<{ id: string }>(db, sql`DELETE FROM leases WHERE id = ${param("id")}`);
  const free = prepare<object>(
    db,
    sql`UPDATE accounts SET held = held - ${param("held")} WHERE id = ${param("account_id")}`,
  );
  const spend = prepare<object>(db, SPEND);

  return function* (id) {
    const row = yield* first(lock({ id }));
    if (!row || (yield* pending(row)).length > 0) return;
    yield* remove({ id });
    yield* free({ ...row, held: row.amount });
    if (row.key_id !== null) yield* spend({ ...row, key: row.key_id, held: row.amount, cost: 0 });
  };
}
