import { createPostgresEngine } from "../../../packages/store/src/engine/postgres.ts";
import { createSqliteEngine } from "../../../packages/store/src/engine/sqlite.ts";
import { openStore, type StoreSettings } from "../../../packages/store/src/store.ts";

/** Opens a store by the words that name a database on a command line. */
export const openers = {
  sqlite: (location: string, settings?: StoreSettings) =>
    openStore(createSqliteEngine({ path: location }, settings?.log), settings),
  postgres: (location: string, settings?: StoreSettings) =>
    openStore(createPostgresEngine({ url: location, connections: 6 }), settings),
};
