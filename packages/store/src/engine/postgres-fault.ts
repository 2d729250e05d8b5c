import pg from "pg";

/**
 * Codes of errors that may pass: conflicts with other work, commits with an unknown outcome, locks, timeouts, broken
 * connections, and a server that stops, is out of space, memory or connections, or has become a replica.
 */
const TRANSIENT =
  /^(40001|40003|40P01|55P03|57014|57P0[123]|53...|58030|25006|08...|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
/** Conflicts that other work has won: this work is restarted, and the other work makes progress meanwhile. */
const CONFLICT = /^(40001|40P01)$/;
/** The driver's messages, without a code, for a lost connection or a timeout of its own. */
const LOST =
  /^(Connection terminated|Client has encountered a connection error|timeout e|Query read timeout|Cannot use a pool)/i;

/** True if a statement was prepared before its tables were changed: only another connection can prepare it anew. */
export const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === "0A000" && error.routine === "RevalidateCachedQuery";

export const isConflict = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && CONFLICT.test(error.code ?? "");

export function isTransient(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isTransient);
  if (!(error instanceof Error)) return false;
  return TRANSIENT.test((error as { code?: string }).code ?? "") || LOST.test(error.message);
}
