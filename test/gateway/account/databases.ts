import type { Database } from "../../store/databases/database.ts";
import { makePostgres } from "../../store/databases/postgres.ts";

/** A database of each kind, for tests whose answers come out of it; without `make` it lives in memory. */
export const DATABASES: readonly { name: string; make?: () => Promise<Database> }[] = [
  { name: "SQLite" },
  { name: "Postgres", make: makePostgres },
];
