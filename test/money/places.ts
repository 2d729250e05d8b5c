import type { Database } from "../store/databases/database.ts";
import { makePostgres } from "../store/databases/postgres.ts";
import { makeSqlite } from "../store/databases/sqlite.ts";

/** Where gateways keep their money, and how many share it. */
export const PLACES: readonly { name: string; processes: number; make(): Promise<Database> }[] = [
  { name: "SQLite, one process", processes: 1, make: makeSqlite },
  { name: "SQLite, three processes", processes: 3, make: makeSqlite },
  { name: "Postgres, three processes", processes: 3, make: makePostgres },
];

/** The database as a configuration names it. */
export const storeOf = ({ dialect, location }: Database): string =>
  dialect === "sqlite" ? `sqlite:${location}` : location;

/** A whole number that the environment may set. */
export const setting = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);
