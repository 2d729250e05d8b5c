import { checkSqlite } from "./check-options.ts";
import type { SqliteOptions } from "./engine/sqlite.ts";
import { openStore, type Store, type StoreOptions } from "./store.ts";

/**
 * Opens a store on a SQLite file, which several processes of one machine may share. Rejects with a `TypeError` that
 * names the options that are wrong.
 */
export async function openSqlite(options: SqliteOptions & StoreOptions): Promise<Store> {
  checkSqlite(options);
  // The driver is loaded only here, so an installation without SQLite does not need it.
  const { createSqliteEngine } = await import("./engine/sqlite.ts");
  if (options.path !== ":memory:") return openStore(createSqliteEngine(options, options.log), options);
  const { emptyDatabase } = await import("./engine/empty-database.ts");
  return openStore(createSqliteEngine(options, options.log, await emptyDatabase()), options);
}
