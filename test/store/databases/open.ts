import { openPostgres, openSqlite, type StoreOptions } from "@manifold/store";

/** Opens a store by the words that name a database on a command line. */
export const openers = {
  sqlite: (location: string, options: StoreOptions = {}) => openSqlite({ path: location, ...options }),
  postgres: (location: string, options: StoreOptions = {}) =>
    openPostgres({ url: location, connections: 6, ...options }),
};
