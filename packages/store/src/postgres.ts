import type { PostgresOptions } from "./engine/postgres.ts";
import { openStore, type Store, type StoreOptions } from "./store.ts";

/** Opens a store on a Postgres database, which any number of processes may share. */
export async function openPostgres(options: PostgresOptions & StoreOptions): Promise<Store> {
  // The driver is loaded only here, so an installation without Postgres does not need it.
  const { createPostgresEngine } = await import("./engine/postgres.ts");
  return openStore(createPostgresEngine(options), options);
}
