import pg from "pg";

/**
 * Conflicts with other work, commits that may have been made or not, locks and timeouts, a server that stops, is out
 * of room, memory or connections, cannot use its files or has become a replica, connections that break.
 */
const TRANSIENT =
  /^(40001|40003|40P01|55P03|57014|57P0[123]|53...|58030|25006|08...|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
/** Of those, conflicts that other work has won: this work is begun anew, and other work is done meanwhile. */
const CONFLICT = /^(40001|40P01)$/;
/** Messages of the driver, without a code, when a connection is lost or a wait of its own has ended. */
const LOST =
  /^(Connection terminated|Client has encountered a connection error|timeout e|Query read timeout|Cannot use a pool)/i;

/** A connection has prepared a statement of tables that were changed since: only another one can prepare it anew. */
export const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === "0A000" && error.routine === "RevalidateCachedQuery";

export const isConflict = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && CONFLICT.test(error.code ?? "");

export function isTransient(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isTransient);
  if (!(error instanceof Error)) return false;
  return TRANSIENT.test((error as { code?: string }).code ?? "") || LOST.test(error.message);
}
