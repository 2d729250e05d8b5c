import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import type { Month } from "../engine/month.ts";
import { first, param, prepare } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";

/** The end of the months whose records are removed, or are being removed: they are removed in order. */
export const REMOVED_UNTIL = "(SELECT COALESCE(MAX(to_at), 0) FROM archives WHERE state <> 'written')";

/**
 * The work of finding the month of a moment if its records are removed, or are being removed: nothing of it may change
 * any more. The month cannot begin to be removed before the work has ended.
 */
export function prepareRemovedMonth({ db, dialect }: Engine): (at: number) => Work<Month | undefined> {
  const lock = prepare<{ at: number }, Pick<Tables["archives"], "month" | "state">>(
    db,
    sql`SELECT month, state FROM archives WHERE from_at <= ${param("at")} AND to_at > ${param("at")}
      ${dialect.locks.shared}`,
  );
  return function* (at) {
    const found = yield* first(lock({ at }));
    return found && found.state !== "written" ? found.month : undefined;
  };
}
