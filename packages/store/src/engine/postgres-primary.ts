import type pg from "pg";
import { WrongServer } from "./postgres-fault.ts";

/** The state of the primary as this process knows it from all its connections. */
export interface Primary {
  /**
   * The number of times that a connection was lost, or led to a newer primary. Connections opened before the last of
   * these are replaced: whatever broke one has usually broken all, some without an error.
   */
  losses: number;
  /** The number of commits whose outcome became unknown. */
  doubts: number;
  /** The highest timeline seen: each promotion begins a higher one. */
  timeline?: number;
  /** The server speaks Postgres's protocol but has no log with timelines. */
  isForeign?: true;
}

export const newPrimary = (): Primary => ({ losses: 0, doubts: 0 });

/** The part of a log file's name that is the timeline, in hex. */
const TIMELINE_DIGITS = 8;

const STATE = `SELECT pg_is_in_recovery() AS "isReplica", current_setting('transaction_read_only') AS "readOnly",
  CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_lsn()) END AS file`;
/** For servers that speak the protocol and have no log of this kind. */
const PLAIN = `SELECT false AS "isReplica", current_setting('transaction_read_only') AS "readOnly", NULL AS file`;

/** Codes of functions that a server lacks, or has but does not let this role call. */
const LACKING = /^(42883|0A000|42501)$/;

interface State {
  isReplica: boolean;
  readOnly: string;
  file: string | null;
}

/**
 * Checks that a new connection leads to the primary. Throws `WrongServer` if it leads to a replica, or to a former
 * primary that does not know yet that another one has taken its place.
 */
export async function checkPrimary(
  client: pg.ClientBase,
  primary: Primary,
  timeoutMs: number,
): Promise<void> {
  const { isReplica, readOnly, file } = await readState(client, primary, timeoutMs);
  if (isReplica) throw new WrongServer("it is a replica, which takes no writes");
  if (readOnly === "on") throw new WrongServer("it takes no writes: default_transaction_read_only is on");
  if (file === null) return;
  const timeline = Number.parseInt(file.slice(0, TIMELINE_DIGITS), 16);
  const { timeline: known = timeline } = primary;
  if (timeline < known)
    throw new WrongServer(
      `it is a former primary: its timeline is ${timeline}, and the primary's is ${known}`,
    );
  primary.timeline = timeline;
  if (timeline > known) primary.losses += 1;
}

async function readState(client: pg.ClientBase, primary: Primary, timeoutMs: number): Promise<State> {
  const ask = async (text: string): Promise<State> =>
    (await client.query({ text, query_timeout: timeoutMs } as pg.QueryConfig)).rows[0];
  if (primary.isForeign) return ask(PLAIN);
  try {
    return await ask(STATE);
  } catch (error) {
    if (!LACKING.test((error as { code?: string }).code ?? "")) throw error;
    primary.isForeign = true;
    return ask(PLAIN);
  }
}
