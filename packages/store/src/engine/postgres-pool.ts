import pg from "pg";
import { toDriver } from "./postgres-address.ts";
import { isLost, isStale, Unreplicated } from "./postgres-fault.ts";
import { checkPrimary, type Primary } from "./postgres-primary.ts";

/** The terms of connections to a Postgres. */
export interface PoolOptions {
  url: string;
  max: number;
  /** The longest wait for a connection, in ms. */
  waitMs: number;
  /** The longest time of a statement, in ms. */
  statementMs: number;
  /** Connections go through a pooler, which refuses session settings: each transaction has settings of its own. */
  isPooled: boolean;
  primary: Primary;
  /** Connections may lead to a replica, because nothing is written. */
  mayBeReplica?: boolean;
}

export interface Pool {
  /** Lends a connection. After an error it is rolled back, or replaced if it may be in any state. */
  use<T>(body: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

/** The longest waits for a lock, and of a transaction for its next statement, in ms. */
const LOCK_MS = 3_000;
const IDLE_MS = 10_000;

/** The idle time after which TCP probes the peer, in ms. The system's default is two hours. */
const KEEP_ALIVE_MS = 5_000;

/** The time limits of a transaction, for connections that have none of their own. */
export const limitsOf = (statementMs: number): string =>
  `SET LOCAL statement_timeout = ${statementMs}; SET LOCAL lock_timeout = ${LOCK_MS};
   SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS}`;

export function createPool(options: PoolOptions): Pool {
  const { url, max, waitMs, statementMs, isPooled, primary, mayBeReplica } = options;
  const begunAfter = new WeakMap<pg.ClientBase, number>();
  const isFresh = (client: pg.ClientBase): boolean => begunAfter.get(client) === primary.losses;

  const pool = new pg.Pool({
    connectionString: toDriver(url),
    max,
    connectionTimeoutMillis: waitMs,
    // The server ends a statement sooner; this limit is for a server that does not answer at all.
    query_timeout: statementMs + 1_000,
    ...(!isPooled && {
      statement_timeout: statementMs,
      lock_timeout: LOCK_MS,
      idle_in_transaction_session_timeout: IDLE_MS,
    }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // Send a statement at once, even before the previous one is answered.
    pipeline: true,
    types: { getTypeParser },
    async onConnect(client) {
      client.on("error", () => {});
      client.on("notice", (notice) => {
        if (notice.routine === WAIT_FOR_REPLICA) unreplicated.add(client);
      });
      if (!mayBeReplica) await checkPrimary(client, primary, waitMs);
      begunAfter.set(client, primary.losses);
    },
  });
  // A connection may break at any time, even between two statements; the next statement, or the pool, then notices.
  pool.on("error", () => {});

  const take = async (): Promise<pg.PoolClient> => {
    for (;;) {
      const client = await pool.connect();
      if (isFresh(client)) return client;
      client.release(true);
    }
  };

  return {
    async use(body) {
      const client = await take();
      // A connection that still waits for an answer, or is inside a transaction, must not be reused.
      let isBroken = true;
      try {
        const value = await body(client);
        isBroken = false;
        return value;
      } catch (error) {
        const isGone = isLost(error);
        if (isGone || error instanceof Unreplicated) primary.doubts += 1;
        if (isGone) {
          if (isFresh(client)) primary.losses += 1;
        } else
          isBroken =
            isStale(error) ||
            !(await client.query("ROLLBACK").then(
              () => true,
              () => false,
            ));
        throw error;
      } finally {
        client.release(isBroken || !isFresh(client));
      }
    },
    end: () => pool.end(),
  };
}

/** The function of the server that waits for replicas, by which its notices are known in every language. */
const WAIT_FOR_REPLICA = "SyncRepWaitForLSN";
const unreplicated = new WeakSet<pg.ClientBase>();

/** A commit takes longer than any statement if the server waits for a replica that is being replaced. */
const COMMIT_MS = 10_000;

/**
 * Commits. Throws `Unreplicated` if the server has committed but stopped waiting for its replica, as it does when the
 * wait is cancelled: it says so only in a warning.
 */
export async function commit(client: pg.PoolClient): Promise<void> {
  await client.query({ text: "COMMIT", query_timeout: COMMIT_MS } as pg.QueryConfig);
  if (unreplicated.delete(client)) throw new Unreplicated();
}

const INT8 = 20;

function getTypeParser(oid: number, format?: "text" | "binary") {
  return oid === INT8 ? readInteger : pg.types.getTypeParser(oid, format);
}

function readInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`the database holds ${text}, beyond exact numbers`);
  return value;
}
