import Database from "better-sqlite3";
import pg from "pg";
import { openers } from "../../store/databases/open.ts";

/** The tables that the fill writes, each with the column by which its rows are read in pages. */
const TABLES = [
  "accounts",
  "api_keys",
  "generations",
  "transfers",
  "hourly_sums",
  "hourly_latencies",
  "key_spend",
];
/** The rows that are read at a time. */
const PAGE = 20_000;

/** Copies a filled database to a new file, so that both have the same records. Resolves to the seconds. */
export async function copyToSqlite(url: string, path: string): Promise<number> {
  const began = performance.now();
  await (await openers.sqlite(path)).close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const file = new Database(path);
  file.pragma("synchronous = off");
  for (const table of TABLES) {
    const columns = (file.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
    const list = columns.join(", ");
    const add = file.prepare(
      `INSERT OR IGNORE INTO ${table} (${list}) VALUES (${columns.map(() => "?").join(", ")})`,
    );
    const addAll = file.transaction((rows: unknown[][]) => {
      for (const row of rows) add.run(row);
    });
    await client.query("BEGIN");
    // In the order of the table: a sort of all rows would need their space once more.
    await client.query(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${list} FROM ${table}`);
    for (;;) {
      const { rows } = await client.query({
        text: `FETCH ${PAGE} FROM copied`,
        rowMode: "array",
        types: NUMBERS,
      });
      if (rows.length === 0) break;
      addAll(rows as unknown[][]);
    }
    await client.query("COMMIT");
    console.log(`${table}: ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  }
  file.exec("ANALYZE");
  file.close();
  await client.end();
  return (performance.now() - began) / 1_000;
}

/** Whole numbers of 64 bits as numbers: all of them are safe. */
const NUMBERS = {
  getTypeParser: (type: number) => (text: string) =>
    type === pg.types.builtins.INT8 || type === pg.types.builtins.INT4 ? Number(text) : text,
} as unknown as pg.CustomTypesConfig;
