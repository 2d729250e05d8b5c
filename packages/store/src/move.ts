import type { Database } from "better-sqlite3";
import type { ClientBase } from "pg";
import { monthAfter, monthOf, startOf } from "./engine/month.ts";
import { describeOwner } from "./engine/owner.ts";
import { toDriver } from "./engine/postgres-address.ts";
import { StoreUnavailable } from "./engine/unavailable.ts";
import { inspectDatabase } from "./migrations/inspect-database.ts";
import { MigrationError } from "./migrations/migration.ts";
import { openPostgres } from "./postgres.ts";

/** A table that was copied. */
export interface MovedTable {
  /** The name. */
  table: string;
  /** The number of its rows. */
  rows: number;
}

/** The rows that an empty database has: of its migrations, and what they begin with. */
const SEEDED = ["migrations", "revisions"];
/** The silence after which a process counts as dead. */
const SILENT_MS = 30_000;
/** The rows, and the characters, that are inserted at a time. */
const ROWS = 2_000;
const CHARACTERS = 4_000_000;

/**
 * Copies the SQLite database in a file to an empty Postgres database, in one transaction that ends with the last table;
 * yields each. Ids, times and the database's own name stay, so files, archives and links are those of before. Throws
 * `MigrationError` if either cannot be used, or if a server wrote to the file meanwhile: nothing is copied then. The
 * file never changes.
 */
export async function* moveToPostgres(path: string, url: string): AsyncGenerator<MovedTable> {
  const [{ default: Sqlite }, { default: pg }, { isTransient }] = await Promise.all([
    import("better-sqlite3"),
    import("pg"),
    import("./engine/postgres-fault.ts"),
  ]);
  await assertCurrent(path);
  const source = new Sqlite(path, { readonly: true, fileMustExist: true });
  try {
    source.exec("BEGIN");
    assertStopped(source);
    const version = versionOf(source);
    const client = new pg.Client({ connectionString: toDriver(url) });
    client.on("error", () => {});
    await client.connect();
    try {
      await assertEmpty(client);
      await prepare(source, url);
      await client.query("BEGIN");
      for (const table of await tablesOf(client)) yield await copy(source, client, table);
      // Outside of the transaction, the connection sees what others wrote since it began.
      source.exec("COMMIT");
      if (versionOf(source) !== version)
        throw new MigrationError("a server wrote to the file meanwhile: stop it, and repeat the command");
      await client.query("COMMIT");
      await client.query("ANALYZE");
    } finally {
      // Without a commit, nothing of it stays.
      await client.end();
    }
  } catch (error) {
    throw isTransient(error) ? new StoreUnavailable(error) : error;
  } finally {
    source.close();
  }
}

async function assertCurrent(path: string): Promise<void> {
  const { exists, pending, refusal } = await inspectDatabase(`sqlite:${path}`);
  if (refusal !== undefined) throw new MigrationError(refusal);
  if (!exists) throw new MigrationError(`there is no database at ${path}`);
  if (pending > 0)
    throw new MigrationError(
      `${path} lacks ${pending} migrations: start this program on it once, and stop it`,
    );
}

/** Requests of a process end as it stops; those of a killed one are ended by another process. */
function assertStopped(source: Database): void {
  const ownerOf = (query: string, ...values: number[]) =>
    source
      .prepare(query)
      .pluck()
      .get(...values);
  const held = ownerOf(`SELECT owner FROM generations WHERE status = 'pending' AND owner IS NOT NULL
    UNION SELECT owner FROM leases LIMIT 1`);
  if (held !== undefined)
    throw new MigrationError(
      `${describeOwner(String(held))} has open requests: stop it, or if it was killed, start a server and stop it`,
    );
  const alive = ownerOf("SELECT owner FROM instances WHERE heartbeat_at > ? LIMIT 1", Date.now() - SILENT_MS);
  if (alive !== undefined)
    throw new MigrationError(
      `${describeOwner(String(alive))} uses the database: stop it, or if it was killed, wait half a minute`,
    );
}

/** Changes with every commit of another connection. */
const versionOf = (source: Database): unknown => source.pragma("data_version", { simple: true });

/** Looks before anything is made: a database in use would get new tables and partitions. */
async function assertEmpty(client: ClientBase): Promise<void> {
  const { rows: made } = await client.query("SELECT 1 WHERE to_regclass('accounts') IS NOT NULL");
  if (made.length > 0) await assertNoRows(client, "accounts");
}

async function assertNoRows(client: ClientBase, table: string): Promise<void> {
  const { rows } = await client.query(`SELECT 1 FROM ${table} LIMIT 1`);
  if (rows.length > 0) throw new MigrationError(`${table} has rows already; an empty database is wanted`);
}

/** Makes the tables, with partitions for the months of the records. */
async function prepare(source: Database, url: string): Promise<void> {
  const oldest = source.prepare("SELECT MIN(id) FROM generations WHERE id >= '0' AND id < '1'").pluck().get();
  const store = await openPostgres({ url });
  try {
    const now = Date.now();
    const first = typeof oldest === "string" ? Number.parseInt(oldest.slice(0, 12), 16) : now;
    for (let month = monthOf(first); month <= monthOf(now); month = monthAfter(month))
      await store.partitions.keep(startOf(month));
  } finally {
    await store.close();
  }
}

/** The tables, accounts first: others refer to them. A file may have more, of before, which nothing reads. */
async function tablesOf(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
      AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname <> 'accounts', relname`,
  );
  return rows.map(({ name }) => name);
}

async function copy(source: Database, client: ClientBase, table: string): Promise<MovedTable> {
  const { rows: columns } = await client.query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`,
    [table],
  );
  if (SEEDED.includes(table)) await client.query(`DELETE FROM ${table}`);
  await assertNoRows(client, table);
  const list = columns.map(({ name }) => name).join(", ");
  const insert = `INSERT INTO ${table} (${list})
    SELECT * FROM unnest(${columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(", ")})`;
  let page: unknown[][] = [];
  let [rows, characters] = [0, 0];
  const flush = async (): Promise<void> => {
    if (page.length > 0)
      await client.query(
        insert,
        columns.map((_, at) => page.map((row) => row[at])),
      );
    [page, characters] = [[], 0];
  };
  for (const row of source.prepare(`SELECT ${list} FROM ${table}`).raw().iterate() as Iterable<unknown[]>) {
    page.push(row);
    rows += 1;
    for (const value of row) if (typeof value === "string") characters += value.length;
    if (page.length === ROWS || characters >= CHARACTERS) await flush();
  }
  await flush();
  const { rows: counted } = await client.query(`SELECT COUNT(*)::int AS rows FROM ${table}`);
  if (counted[0].rows !== rows)
    throw new MigrationError(`${table}: ${counted[0].rows} rows were copied of ${rows}`);
  return { table, rows };
}
