import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import type { StoreLog } from "../log.ts";
import type { Tables } from "../tables.ts";
import { StoreUnavailable } from "../unavailable.ts";
import { type Checkpointer, startCheckpointer } from "./checkpointer.ts";
import type { Connection, Statement } from "./connection.ts";
import type { Engine, Query, Row, Work } from "./engine.ts";
import { GroupCommit } from "./group-commit.ts";
import { makePrivate, tighten } from "./private.ts";
import { createReader } from "./reader.ts";
import { isUnavailable } from "./sqlite-fault.ts";
import { syncLog } from "./sync-log.ts";

export interface SqliteOptions {
  /**
   * The database file, made when it is missing, its folder too; `:memory:` lives as long as the store, and grows to
   * 1 GiB. The file and those beside it are for their owner alone.
   */
  path: string;
  /** `full` (default) survives power loss; `normal` may lose the last commits then, but never half of one. */
  synchronous?: "full" | "normal";
  /** One wait for another process's lock, 1,000 ms by default; five of them make the store unavailable. */
  lockWaitMs?: number;
  /** The length from which on the write-ahead log begins anew, in pages of 4 KB; 8,000 by default. */
  logPages?: number;
}

const LOG_PAGES = 8_000;
/** The multiple of that length at which a commit moves the log itself, should the checkpointer fall behind. */
const FALLBACK = 8;
/** Waiting blocks the event loop, so it is cut into pieces with time to breathe in between. */
const LOCK_WAIT_MS = 1_000;

/** The file opened, and made with its folder where it is missing; an error names it. */
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
 * An engine over one connection: it reads and writes at once, in one thread, so nothing can come in between. Reports
 * are read by connections of their own.
 */
export function createSqliteEngine(
  options: SqliteOptions,
  report?: StoreLog,
  database: Connection = openFile(options),
): Engine {
  const inMemory = options.path === ":memory:";
  let checkpointer: Checkpointer | undefined;
  try {
    database.pragma("journal_mode = WAL");
    // The wait for the disk that FULL would add to each commit is made off the event loop, by `syncLog`.
    database.pragma("synchronous = NORMAL");
    database.pragma("foreign_keys = ON");
    if (!inMemory) {
      const { path, logPages = LOG_PAGES } = options;
      // New files beside the database have its mode; those of an earlier version may be open to others.
      for (const suffix of ["", "-wal", "-shm"]) tighten(path + suffix);
      database.pragma(`wal_autocheckpoint = ${FALLBACK * logPages}`);
      checkpointer = startCheckpointer({ path, logPages }, (until) => writes.pause(until), report);
    }
  } catch (error) {
    database.close();
    throw new StoreUnavailable(error);
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
      // A definition changes no rows, and yet has to be taken back.
      changes += 1;
      statement.run(...parameters);
      return [];
    }
    const rows = statement.all(...parameters) as Row[];
    if (!statement.readonly) changes += rows.length;
    return rows;
  };
  /** Runs work to its end. A statement that fails throws inside the work, which may go on without it. */
  const drive = <T>(work: Work<T>): T => {
    let step = work.next();
    while (!step.done) {
      let rows: Row[];
      try {
        // In a file nothing is gained by asking for several at one time: no work does.
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
  const writes = new GroupCommit({ database, drive, changes: () => changes, ...log });
  const reading = <T>(work: () => Work<T>): T => {
    try {
      return drive(work());
    } catch (error) {
      throw isUnavailable(error) ? new StoreUnavailable(error) : error;
    }
  };

  const read: Engine["read"] = async (work) => reading(work);
  // Two, as an audit of minutes is no reason for a list to wait. No other connection sees what is in memory.
  const readers = inMemory
    ? undefined
    : { reports: createReader(options.path, report), snapshots: createReader(options.path, report) };

  return {
    dialect: "sqlite",
    ...(!inMemory && { location: { dialect: "sqlite", path: options.path } }),
    db: new Kysely<Tables>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      },
    }),
    // One connection writes at a time.
    locks: { shared: sql``, exclusive: sql``, skipLocked: sql`` },
    write: (work, options) => writes.add(work, options),
    read,
    report: readers?.reports.read ?? read,
    snapshot: readers?.snapshots.snapshot ?? (async (work) => database.transaction(() => reading(work))()),
    async close() {
      await writes.close();
      await Promise.all([readers?.reports.stop(), readers?.snapshots.stop()]);
      await checkpointer?.stop();
      log?.close();
      database.close();
    },
  };
}
