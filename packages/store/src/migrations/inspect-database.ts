import { existsSync } from "node:fs";
import { StoreUnavailable } from "../engine/unavailable.ts";
import { type Applied, countApplied } from "./applied.ts";
import { MIGRATIONS } from "./migrate.ts";
import { MigrationError } from "./migration.ts";

/** The state of a database before a store opens it. */
export interface DatabaseState {
  /** False if there is no database: the SQLite file is created at the first start. */
  exists: boolean;
  /** The number of migrations that a start would apply. */
  pending: number;
  /** The reason for which a start would refuse it, and what is wanted: another program, another server or clock. */
  refusal?: string;
  /** A pooler is between, and whether it knows the names of prepared statements; absent for a file. */
  access?: { isPooled: boolean; keepsNames: boolean };
  /** How far the database server's clock is ahead of this machine's, in ms; absent for a file on this machine. */
  aheadMs?: number;
}

/**
 * Reads the state of the database at a `sqlite:` or `postgres:` address without creating or migrating anything. Throws
 * `StoreUnavailable` if it cannot be reached or read.
 */
export async function inspectDatabase(url: string): Promise<DatabaseState> {
  try {
    return await (url.startsWith("sqlite:")
      ? inspectSqlite(url.slice("sqlite:".length))
      : inspectPostgres(url));
  } catch (error) {
    throw new StoreUnavailable(error);
  }
}

function toState(rows: readonly Applied[] | undefined): DatabaseState {
  const exists = rows !== undefined;
  try {
    return { exists, pending: MIGRATIONS.length - countApplied(rows ?? [], MIGRATIONS) };
  } catch (error) {
    if (error instanceof MigrationError) return { exists, pending: 0, refusal: error.message };
    throw error;
  }
}

async function inspectSqlite(path: string): Promise<DatabaseState> {
  if (path === ":memory:" || !existsSync(path)) return toState(undefined);
  const { default: Database } = await import("better-sqlite3");
  const database = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const has = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get();
    const rows = has ? database.prepare("SELECT number, name FROM migrations").all() : [];
    return toState(rows as Applied[]);
  } finally {
    database.close();
  }
}

async function inspectPostgres(url: string): Promise<DatabaseState> {
  const [{ default: pg }, { inspectServer }] = await Promise.all([
    import("pg"),
    import("../engine/postgres-access.ts"),
  ]);
  const { access, aheadMs, refusal } = await inspectServer(url);
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows: tables } = await client.query("SELECT to_regclass('migrations') IS NOT NULL AS has");
    const { rows } = tables[0].has ? await client.query("SELECT number, name FROM migrations") : { rows: [] };
    const applied = rows.map(({ number, name }): Applied => ({ number: Number(number), name }));
    return { ...toState(applied), aheadMs, access, ...(refusal !== undefined && { refusal }) };
  } finally {
    await client.end();
  }
}
