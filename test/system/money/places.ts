import type { Database } from "../../store/databases/database.ts";
import { makePostgres } from "../../store/databases/postgres.ts";
import { makeSqlite } from "../../store/databases/sqlite.ts";

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

/** A server goes on with what a dead client has sent it, up to the end of a statement. */
export async function untilAlone(database: Database): Promise<void> {
  if (database.dialect === "sqlite") return;
  for (let tries = 0; tries < 1_000; tries++) {
    const others = await database.execute(
      `SELECT 1 FROM pg_stat_activity WHERE pid <> pg_backend_pid()
        AND application_name = current_setting('application_name')`,
    );
    if (others.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("the connections of a killed process stay");
}
