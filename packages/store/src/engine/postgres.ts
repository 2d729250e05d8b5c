import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import pg from "pg";
import { createAccountQueues } from "./account-queues.ts";
import { commitGroup, type GroupTerms, NeedsSavepoint } from "./commit-group.ts";
import { type Engine, Undo, type Work } from "./engine.ts";
import { BEGIN_BY_KEY, carryAcross } from "./multi-account-commit.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { drive } from "./postgres-drive.ts";
import { isConflict, isStale, isTransient } from "./postgres-fault.ts";
import type { Tables } from "./tables.ts";
import { StoreUnavailable, waitAfter, waitAfterConflict } from "./unavailable.ts";

/** The database of a store on Postgres, which several processes and machines may share. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  url: string;
  /** The most connections, 10 by default. Each piece of work uses one while it runs. */
  connections?: number;
}

const STATEMENT_MS = 5_000;

/** The most connections for reports; the longest wait for one of them, and for a report's statement, in ms. */
const REPORTS = 2;
const REPORT_WAIT_MS = 15_000;
const REPORT_MS = 60_000;

/**
 * The longest wait of an account's queue for its row while other processes use it: giving up sooner would only send
 * the queue to the back of the line.
 */
const QUEUE_MS = 25_000;
const BEGIN_QUEUED = `${BEGIN_BY_KEY}; SET LOCAL statement_timeout = '20s'; SET LOCAL lock_timeout = '15s'`;

/** The longest wait for a migration: changing a large table takes longer than any request may wait. */
const PATIENT_MS = 3_600_000;
/** The server's crash may lose it; that of this process does not. */
const BEGIN_SEPARATE = "BEGIN; SET LOCAL synchronous_commit = off";
const BEGIN_PATIENT = "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0";

export function createPostgresEngine(options: PostgresOptions): Engine {
  const pool = openPool(options.url, {
    max: options.connections ?? 10,
    waitMs: 5_000,
    statementMs: STATEMENT_MS,
  });
  // Simultaneous reports wait for each other here, and do not use up the connections of requests.
  const reports = openPool(options.url, {
    max: REPORTS,
    waitMs: REPORT_WAIT_MS,
    statementMs: REPORT_MS,
  });

  const session = async <T>(body: (client: pg.PoolClient) => Promise<T>, from = pool): Promise<T> => {
    for (let tried = 1; ; tried++) {
      try {
        return await once(from, body);
      } catch (error) {
        if (isStale(error)) continue;
        if (!isTransient(error)) throw error;
        const wait = (isConflict(error) ? waitAfterConflict : waitAfter)(tried);
        if (wait === undefined) throw new StoreUnavailable(error);
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  };
  const transaction = <T>(
    begin: string,
    work: () => Work<T | Undo<T>>,
    waitMs?: number,
    from = pool,
  ): Promise<T> =>
    session(async (client) => {
      // Wait for BEGIN: if it failed, each following statement would be a transaction of its own.
      await client.query(begin);
      const unasked: Promise<unknown>[] = [];
      const value = await drive(client, work(), { waitMs, unasked });
      const end = client.query(value instanceof Undo ? "ROLLBACK" : "COMMIT");
      // COMMIT after a failed statement rolls back without an error: the statement's own error must come first.
      await Promise.all([...unasked, end]);
      return value instanceof Undo ? value.value : value;
    }, from);

  const alone = <T>(work: () => Work<T | Undo<T>>): Promise<T> => transaction("BEGIN", work);
  const queued = createAccountQueues({
    alone: (work) => transaction(BEGIN_QUEUED, work, QUEUE_MS),
    together: (group, withSavepoints) =>
      session(async (client) => {
        await client.query(BEGIN_QUEUED);
        let changes = 0;
        const count = (command: string, rows: number | null): void => {
          // A statement that reports no number of rows counts as one change, to be safe.
          if (command !== "SELECT") changes += rows ?? 1;
        };
        const terms: GroupTerms = {
          changes: () => changes,
          isFatal: (error) => isTransient(error) || isStale(error),
          survivesFailure: false,
        };
        // With savepoints each piece must know of its own failures; without, one failure undoes the group anyway.
        const unasked = withSavepoints ? undefined : [];
        const work = commitGroup(group, withSavepoints, terms);
        const answers = await drive(client, work, { waitMs: QUEUE_MS, count, unasked });
        const end = client.query("COMMIT");
        await Promise.all([...(unasked ?? []), end]).catch((error: unknown) => {
          throw unasked && !terms.isFatal(error) ? new NeedsSavepoint() : error;
        });
        return answers;
      }),
    across: (group) =>
      once(pool, (client) => carryAcross(client, group)).catch((error: unknown) => {
        throw isTransient(error) && !isConflict(error) ? new StoreUnavailable(error) : error;
      }),
  });

  return {
    dialect: postgresDialect,
    location: { url: options.url },
    db: new Kysely<Tables>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    }),
    write(work, { account, batch, patient = false, separate = false } = {}) {
      if (separate) return transaction(BEGIN_SEPARATE, work);
      if (patient) return transaction(BEGIN_PATIENT, work, PATIENT_MS);
      return account === undefined ? alone(work) : queued(account, work, batch);
    },
    read: (work) => session((client) => drive(client, work())),
    report: (work) => session((client) => drive(client, work()), reports),
    snapshot: (work) =>
      transaction(
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = '5min'",
        work,
        300_000,
        reports,
      ),
    async close() {
      await Promise.all([pool.end(), reports.end()]);
    },
  };
}

function openPool(
  url: string,
  { max, waitMs, statementMs }: { max: number; waitMs: number; statementMs: number },
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: waitMs,
    statement_timeout: statementMs,
    // The server ends a statement sooner; this limit is for a server that does not answer at all.
    query_timeout: statementMs + 1_000,
    lock_timeout: 3_000,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    // Send a statement at once, even before the previous one is answered.
    pipeline: true,
    types: { getTypeParser },
  });
  // A connection may break at any time, even between two statements; the next statement, or the pool, then notices.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

async function once<T>(pool: pg.Pool, body: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // A connection that still waits for an answer, or is inside a transaction, must not be reused.
  let broken = true;
  try {
    const value = await body(client);
    broken = false;
    return value;
  } catch (error) {
    broken =
      isStale(error) ||
      !(await client.query("ROLLBACK").then(
        () => true,
        () => false,
      ));
    throw error;
  } finally {
    client.release(broken);
  }
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
