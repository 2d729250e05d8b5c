import { checkPostgres } from "./check-options.ts";
import type { PostgresOptions } from "./engine/postgres.ts";
import { StoreUnavailable, StoreUnsuitable } from "./engine/unavailable.ts";
import { openStore, type Store, type StoreOptions } from "./store.ts";

/**
 * Opens a store on a Postgres database, which any number of processes may share, directly or through a pooler. Throws
 * `StoreUnsuitable` if the address leads to a replica or to a pooler without transactions, or if the clocks differ, and a
 * `TypeError` that names the options that are wrong.
 */
export async function openPostgres(options: PostgresOptions & StoreOptions): Promise<Store> {
  checkPostgres(options);
  // The driver is loaded only here, so an installation without Postgres does not need it.
  const [{ createPostgresEngine }, { accessTo }] = await Promise.all([
    import("./engine/postgres.ts"),
    import("./engine/postgres-access.ts"),
  ]);
  const access = await accessTo(options.url).catch((error: unknown) => {
    throw error instanceof StoreUnsuitable ? error : new StoreUnavailable(error);
  });
  if (!access.keepsNames)
    options.log?.warn({ setting: "max_prepared_statements" }, "the pooler forgets prepared statements");
  return openStore(createPostgresEngine(options, access, options.log), options);
}
