import { existsSync } from "node:fs";
import { toDriver } from "../engine/postgres-address.ts";
import { CONNECTIONS_OF_A_PROCESS } from "../engine/postgres-connections.ts";
import { StoreUnavailable } from "../engine/unavailable.ts";
import { type Applied, countApplied } from "./applied.ts";
import { MIGRATIONS } from "./migrate.ts";
import { MigrationError } from "./migration.ts";

/** The state of a database before a store opens it. */
export interface DatabaseState {
  /** False if nothing has been stored: the first start makes the SQLite file, or the tables in Postgres. */
  exists: boolean;
  /** The number of migrations that a start would apply. */
  pending: number;
  /** The reason for which a start would refuse it, and what is wanted: another program, another server or clock. */
  refusal?: string;
  /** A pooler is between, and whether it knows the names of prepared statements; absent for a file. */
  access?: { isPooled: boolean; keepsNames: boolean };
  /** The connections that the server grants this role, and those that a process takes at most; absent for a file. */
  connections?: { granted: number; ofProcess: number };
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

/** What a look at Postgres finds. A limit of -1 is none; a server that speaks only the protocol may lack settings. */
const FOUND = `SELECT to_regclass('migrations') IS NOT NULL AS has,
  coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreate",
  least(
    nullif(current_setting('max_connections', true), '')::int
      - coalesce(nullif(current_setting('superuser_reserved_connections', true), '')::int, 0)
      - coalesce(nullif(current_setting('reserved_connections', true), '')::int, 0),
    (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user),
    (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database())
  ) AS granted`;

const NO_TABLES =
  "it has no tables yet, and its user may not make any; let the user own the database, or GRANT CREATE ON SCHEMA to it";

async function inspectPostgres(url: string): Promise<DatabaseState> {
  const [{ default: pg }, { inspectServer }] = await Promise.all([
    import("pg"),
    import("../engine/postgres-access.ts"),
  ]);
  const { access, aheadMs, refusal } = await inspectServer(url);
  const client = new pg.Client({
    connectionString: toDriver(url),
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  });
  client.on("error", () => {});
  await client.connect();
  try {
    const [found] = (await client.query(FOUND)).rows;
    const rows = found.has ? (await client.query("SELECT number, name FROM migrations")).rows : undefined;
    const applied = rows?.map(({ number, name }): Applied => ({ number: Number(number), name }));
    const why = refusal ?? (found.has || found.mayCreate ? undefined : NO_TABLES);
    return {
      ...toState(applied),
      ...{ aheadMs, access },
      // A pooler shares its connections among all.
      ...(!access.isPooled &&
        found.granted !== null && {
          connections: { granted: found.granted, ofProcess: CONNECTIONS_OF_A_PROCESS },
        }),
      ...(why !== undefined && { refusal: why }),
    };
  } finally {
    await client.end();
  }
}
