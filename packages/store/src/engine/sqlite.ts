import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { type Checkpointer, startCheckpointer } from "./checkpointer.ts";
import type { Connection, Statement } from "./connection.ts";
import type { Engine, Query, Row, Work } from "./engine.ts";
import { GroupCommit } from "./group-commit.ts";
import type { StoreLog } from "./log.ts";
import { makePrivate, tighten } from "./private.ts";
import { createReader } from "./reader.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { isUnavailable } from "./sqlite-fault.ts";
import { syncLog } from "./sync-log.ts";
import type { Tables } from "./tables.ts";
import { StoreUnavailable } from "./unavailable.ts";

/** The file of a store on SQLite, and how it is written; several processes of one machine may share it. */
export interface SqliteOptions {
  /**
   * The database file; a missing file and folder are created. Only its owner can read or write it and its `-wal` and
   * `-shm` files. `:memory:` lives as long as the store, and grows to 1 GiB.
   */
  path: string;
  /** `full` (default) survives a power loss; `normal` may then lose the last commits, but never part of one. */
  synchronous?: "full" | "normal";
  /** The wait for another process's lock, 1,000 ms by default. After five waits the store is unavailable. */
  lockWaitMs?: number;
  /** The length from which on the write-ahead log begins anew, in pages of 4 KB; 8,000 by default. */
  logPages?: number;
}

const LOG_PAGES = 8_000;
/** The multiple of that length at which a commit itself moves the log, if the checkpointer falls behind. */
const FALLBACK = 8;
/**
 * The pages that the connection keeps, in KiB. SQLite goes through all of them at each commit that splits a page, and
 * drops them when another connection has written, as the heartbeat does: many cost more than they save, since the
 * system keeps the file's pages as well.
 */
const CACHE_KB = 4_000;
/** Waiting blocks the event loop, so the wait is cut into pieces between which the loop runs. */
const LOCK_WAIT_MS = 1_000;

/** Opens the file, and creates it and its folder if they are missing; an error names the file. */
function openFile({ path, lockWaitMs = LOCK_WAIT_MS }: SqliteOptions): Connection {
  try {
    if (path !== ":memory:") {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      makePrivate(path);
    }
    return new Database(path, { timeout: lockWaitMs });
  } catch (error) {
    throw new StoreUnavailable(new Error(`${path}: ${(error as Error).message}`, { cause: error }));
  }
}

/**
 * An engine with one connection, which reads and writes synchronously, so nothing else runs in between. Reports have
 * their own connections.
 */
export function createSqliteEngine(
  options: SqliteOptions,
  report?: StoreLog,
  database: Connection = openFile(options),
): Engine {
  const inMemory = options.path === ":memory:";
  let checkpointer: Checkpointer | undefined;
  const pause = (until: Promise<void>): void => {
    writes.pause(until);
    separate.pause(until);
  };
  try {
    database.pragma("journal_mode = WAL");
    // FULL would block the event loop for the disk at each commit; `syncLog` waits in another thread instead.
    database.pragma("synchronous = NORMAL");
    database.pragma("foreign_keys = ON");
    database.pragma(`cache_size = -${CACHE_KB}`);
    if (!inMemory) {
      const { path, logPages = LOG_PAGES } = options;
      // New companion files get the database's mode; those of an earlier version may be readable by others.
      for (const suffix of ["", "-wal", "-shm"]) tighten(path + suffix);
      database.pragma(`wal_autocheckpoint = ${FALLBACK * logPages}`);
      checkpointer = startCheckpointer({ path, logPages }, pause, report);
    }
  } catch (error) {
    database.close();
    throw new StoreUnavailable(new Error(`${options.path}: ${(error as Error).message}`, { cause: error }));
  }

  const statements = new Map<string, Statement>();
  let changes = 0;
  const execute = ({ sql, parameters }: Query): Row[] => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql);
      statements.set(sql, statement);
    }
    if (!statement.reader) {
      // A statement without rows counts too: a definition, for example, must be undone as well.
      changes += 1;
      statement.run(...parameters);
      return [];
    }
    const rows = statement.all(...parameters) as Row[];
    if (!statement.readonly) changes += rows.length;
    return rows;
  };
  /** Runs work to its end. A failed statement throws inside the work, which may catch the error and continue. */
  const drive = <T>(work: Work<T>): T => {
    let step = work.next();
    while (!step.done) {
      let rows: Row[];
      try {
        // On SQLite work yields single statements only, because several at once would gain nothing.
        rows = execute(step.value as Query);
      } catch (error) {
        step = work.throw(error);
        continue;
      }
      step = work.next(rows);
    }
    return step.value;
  };
  const log = inMemory || options.synchronous === "normal" ? undefined : syncLog(`${options.path}-wal`);
  const terms = { database, drive, changes: () => changes };
  const writes = new GroupCommit({ ...terms, ...log });
  const separate = new GroupCommit(terms);
  const reading = <T>(work: () => Work<T>): T => {
    try {
      return drive(work());
    } catch (error) {
      throw isUnavailable(error) ? new StoreUnavailable(error) : error;
    }
  };

  const read: Engine["read"] = async (work) => reading(work);
  // Two readers, so that a list need not wait for a long audit. A database in memory has only one connection.
  const readers = inMemory
    ? undefined
    : { reports: createReader(options.path, report), snapshots: createReader(options.path, report) };

  return {
    dialect: sqliteDialect,
    ...(!inMemory && { location: { path: options.path }, file: options.path }),
    db: new Kysely<Tables>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      },
    }),
    write: (work, options) => (options?.separate ? separate : writes).add(work, options),
    read,
    report: readers?.reports.read ?? read,
    delayed: readers?.reports.read ?? read,
    snapshot: readers?.snapshots.snapshot ?? (async (work) => database.transaction(() => reading(work))()),
    async close() {
      await Promise.all([writes.close(), separate.close()]);
      await Promise.all([readers?.reports.stop(), readers?.snapshots.stop()]);
      await checkpointer?.stop();
      log?.close();
      database.close();
    },
  };
}
