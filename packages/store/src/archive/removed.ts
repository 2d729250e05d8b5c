import { sql } from "kysely";
import type { Engine, Work } from "../engine/engine.ts";
import type { Month } from "../engine/month.ts";
import { first, param, prepare } from "../engine/statement.ts";
import type { Tables } from "../engine/tables.ts";

/** The end of the months whose records are removed, or are being removed: they are removed in order. */
export const REMOVED_UNTIL = "(SELECT COALESCE(MAX(to_at), 0) FROM archives WHERE state <> 'written')";

interface ArchivedMonth {
  month: Month;
  /** Its records are removed, or are being removed: none of them may change. */
  isRemoved: boolean;
}

/**
 * The work of finding the archived month of a time. Its removal cannot begin before this work has ended. As long as its
 * records are in the database, only refunds may make them differ from its files.
 */
export function prepareArchivedMonth({
  db,
  dialect,
}: Engine): (at: number) => Work<ArchivedMonth | undefined> {
  const lock = prepare<{ at: number }, Pick<Tables["archives"], "month" | "state">>(
    db,
    sql`SELECT month, state FROM archives WHERE from_at <= ${param("at")} AND to_at > ${param("at")}
      ${dialect.locks.shared}`,
  );
  return function* (at) {
    const found = yield* first(lock({ at }));
    return found && { month: found.month, isRemoved: found.state !== "written" };
  };
}
