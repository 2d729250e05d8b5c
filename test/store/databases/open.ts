import { openPostgres, openSqlite } from "@manifold/store";

/** Opens a store by the words that name a database on a command line. */
export const openers = {
  sqlite: (location: string) => openSqlite({ path: location }),
  postgres: (location: string) => openPostgres({ url: location, connections: 6 }),
};
