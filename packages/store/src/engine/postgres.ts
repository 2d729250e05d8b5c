import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import type pg from "pg";
import { createAccountQueues } from "./account-queues.ts";
import { commitGroup, type GroupTerms, NeedsSavepoint } from "./commit-group.ts";
import { type Engine, Undo, type Work } from "./engine.ts";
import type { StoreLog } from "./log.ts";
import { BY_KEY, commitAcross } from "./multi-account-commit.ts";
import { type Access, DIRECT } from "./postgres-access.ts";
import { CONNECTIONS } from "./postgres-connections.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { type Driving, drive } from "./postgres-drive.ts";
import { isConflict, isStale, isTransient } from "./postgres-fault.ts";
import { commit, createPool, limitsOf, type Pool } from "./postgres-pool.ts";
import { newPrimary } from "./postgres-primary.ts";
import { openReplica, type ReaderOptions } from "./replica.ts";
import { PLACE, type Place } from "./replica-place.ts";
import type { Tables } from "./tables.ts";
import { StoreUnavailable, waitAfter, waitAfterConflict } from "./unavailable.ts";

/** The database of a store on Postgres, which several processes and machines may share. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  url: string;
  /** The most connections for work, 10 by default. Each piece of work uses one while it runs. */
  connections?: number;
  /** A replica for reading lists, sums and exports. */
  reader?: ReaderOptions;
}

const STATEMENT_MS = 5_000;

/** The longest wait for a connection for reports, and for a report's statement, in ms. */
const REPORT_WAIT_MS = 15_000;
const REPORT_MS = 60_000;

/** The time after which failed work is not tried again, in ms, because its caller waits. */
const GIVE_UP_MS = 10_000;

/**
 * The longest wait of an account's queue for its row while other processes use it: giving up sooner would only send
 * the queue to the back of the line.
 */
const QUEUE_MS = 25_000;
const QUEUED = `${BY_KEY}; SET LOCAL statement_timeout = '20s'; SET LOCAL lock_timeout = '15s'`;

/** The longest wait for a migration: changing a large table takes longer than any request may wait. */
const UNLIMITED_MS = 3_600_000;
const UNLIMITED = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0";
/** The server's crash may lose it; that of this process does not. */
const SEPARATE = "SET LOCAL synchronous_commit = off";
const SNAPSHOT = "SET LOCAL statement_timeout = '5min'";
const SNAPSHOT_MS = 300_000;

/**
 * Makes a commit wait for the replica even if its work found nothing left to do: the earlier commit that did it may be
 * on the primary only.
 */
const MARK = "SELECT pg_logical_emit_message(true, 'manifold', '')";

export function createPostgresEngine(
  { url, connections = CONNECTIONS.work, reader }: PostgresOptions,
  access: Access = DIRECT,
  log?: StoreLog,
): Engine {
  const { isPooled } = access;
  const isUnnamed = !access.keepsNames;
  const primary = newPrimary();
  const terms = { url, isPooled, primary };
  const pool = createPool({ ...terms, max: connections, waitMs: 5_000, statementMs: STATEMENT_MS });
  // Simultaneous reports wait for each other here, and do not use up the connections of requests.
  const reports = createPool({
    ...terms,
    max: CONNECTIONS.reports,
    waitMs: REPORT_WAIT_MS,
    statementMs: REPORT_MS,
  });

  const beginning = (settings: string, isolation = "", statementMs = STATEMENT_MS): string =>
    [`BEGIN ${isolation}`, ...(isPooled ? [limitsOf(statementMs)] : []), settings].filter(Boolean).join("; ");
  const begins = {
    single: beginning(""),
    byKey: beginning(BY_KEY),
    queued: beginning(QUEUED),
    unlimited: beginning(UNLIMITED),
    separate: beginning(SEPARATE),
    report: beginning("", "READ ONLY", REPORT_MS),
    snapshot: beginning(SNAPSHOT, "ISOLATION LEVEL REPEATABLE READ READ ONLY"),
  };

  /**
   * The number of doubts about commits that are resolved: a later commit is on a replica, and so are those before it.
   */
  let settled = 0;
  const conclude = async (client: pg.PoolClient): Promise<void> => {
    const { doubts, isForeign } = primary;
    if (doubts === settled || isForeign) return commit(client);
    await Promise.all([client.query(MARK), commit(client)]);
    settled = doubts;
  };

  const session = async <T>(body: (client: pg.PoolClient) => Promise<T>, from: Pool = pool): Promise<T> => {
    const giveUp = performance.now() + GIVE_UP_MS;
    for (let tried = 1; ; tried++) {
      try {
        return await from.use(body);
      } catch (error) {
        if (isStale(error)) continue;
        if (!isTransient(error)) throw error;
        const isOver = !isConflict(error) && performance.now() > giveUp;
        const wait = isOver ? undefined : (isConflict(error) ? waitAfterConflict : waitAfter)(tried);
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
    end = conclude,
  ): Promise<T> =>
    session(async (client) => {
      // Wait for BEGIN: if it failed, each following statement would be a transaction of its own.
      await client.query(begin);
      const unread: Promise<unknown>[] = [];
      const value = await drive(client, work(), { waitMs, unread, isUnnamed });
      // COMMIT after a failed statement rolls back without an error: the statement's own error must come first.
      await Promise.all([...unread, value instanceof Undo ? client.query("ROLLBACK") : end(client)]);
      return value instanceof Undo ? value.value : value;
    }, from);
  /** A pooler gives each statement another connection, without time limits, unless they are in a transaction. */
  const reading = <T>(begin: string, work: () => Work<T>, from: Pool): Promise<T> =>
    isPooled
      ? transaction(begin, work, undefined, from, commit)
      : session((client) => drive(client, work(), { isUnnamed }), from);

  const single = <T>(work: () => Work<T | Undo<T>>): Promise<T> => transaction(begins.single, work);
  const queued = createAccountQueues({
    runOne: (work) => transaction(begins.queued, work, QUEUE_MS),
    runGroup: (group, withSavepoints) =>
      session(async (client) => {
        await client.query(begins.queued);
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
        const unread = withSavepoints ? undefined : [];
        const driving: Driving = { waitMs: QUEUE_MS, count, isUnnamed, ...(unread && { unread }) };
        const answers = await drive(client, commitGroup(group, withSavepoints, terms), driving);
        await Promise.all([...(unread ?? []), conclude(client)]).catch((error: unknown) => {
          throw unread && !terms.isFatal(error) ? new NeedsSavepoint() : error;
        });
        return answers;
      }),
    runAcross: (group) =>
      pool
        .use((client) => commitAcross(client, group, { begin: begins.byKey, commit: conclude, isUnnamed }))
        .catch((error: unknown) => {
          throw isTransient(error) && !isConflict(error) ? new StoreUnavailable(error) : error;
        }),
  });

  const report: Engine["report"] = (work) => reading(begins.report, work, reports);
  const primaryPlace = async (): Promise<Place> =>
    (await reports.use((client) => client.query(PLACE))).rows[0];
  const replica = reader && openReplica(reader, { statementMs: REPORT_MS, primaryPlace, log });

  return {
    dialect: postgresDialect,
    location: { url, isPooled },
    ...(replica && { reader: replica }),
    db: new Kysely<Tables>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    }),
    write(work, { account, batch, isUnlimited = false, separate = false } = {}) {
      // Without waiting for a replica, a commit settles no doubts.
      if (separate) return transaction(begins.separate, work, undefined, pool, commit);
      if (isUnlimited) return transaction(begins.unlimited, work, UNLIMITED_MS);
      return account === undefined ? single(work) : queued(account, work, batch);
    },
    read: (work) => reading(begins.single, work, pool),
    report,
    async delayed(work) {
      const read = await replica?.read(work);
      return read ? read.value : report(work);
    },
    snapshot: (work) => transaction(begins.snapshot, work, SNAPSHOT_MS, reports, commit),
    async close() {
      await replica?.close();
      await Promise.all([pool.end(), reports.end()]);
    },
  };
}
