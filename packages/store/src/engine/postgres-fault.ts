import pg from "pg";

/** A connection leads to a server that takes no writes, or must not get any. */
export class WrongServer extends Error {
  override readonly name = "WrongServer";
  readonly code = "25006";
}

/** A commit on the primary that a failover may undo, because no replica is known to have it. */
export class Unreplicated extends Error {
  override readonly name = "Unreplicated";
  readonly code = "40003";
  constructor() {
    super("the server stopped waiting for its replica");
  }
}

/** Error codes after which no connection to the same server can be trusted. */
const GONE =
  /^(57P0[1-5]|25P0[34]|25006|08...|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)$/;
/**
 * Codes of other errors that may pass: conflicts with other work, commits with an unknown outcome, locks, timeouts, and
 * a server that is out of space, memory or connections.
 */
const TRANSIENT = /^(40001|40003|40P01|55P03|57014|53...|58030)$/;
/**
 * Conflicts that other work has won. This work is restarted; since the other makes progress, the tries come to an end.
 */
const CONFLICT = /^(40001|40P01)$/;
/** The driver's messages, without a code, for a lost connection or a timeout of its own. */
const LOST =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout e|Query read timeout|Cannot use a pool)/i;

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? "";

/** True if a statement was prepared before its tables were changed: only another connection can prepare it anew. */
export const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === "0A000" && error.routine === "RevalidateCachedQuery";

/**
 * True if a table was divided while a row was being inserted: the partition that was chosen no longer accepts it, and
 * the next try chooses the new one. Such errors name no constraint, unlike those of a table's own checks.
 */
const isMoved = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === "23514" && error.constraint === undefined;

export const isConflict = (error: unknown): boolean =>
  (error instanceof pg.DatabaseError && CONFLICT.test(error.code ?? "")) || isMoved(error);

/** True if the connection is lost, or its server no longer accepts writes. */
export function isLost(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isLost);
  return error instanceof Error && (GONE.test(codeOf(error)) || LOST.test(error.message));
}

export function isTransient(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isTransient);
  return isLost(error) || isMoved(error) || (error instanceof Error && TRANSIENT.test(codeOf(error)));
}
