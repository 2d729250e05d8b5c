import type { Database } from "./database.ts";

/** How many locks the connections of one database have or wait for, of those of the whole server. */
export async function countLocks(database: Database, where: string): Promise<number> {
  // A transaction goes on seeing the connections that it saw first.
  await database.execute("SELECT pg_stat_clear_snapshot()");
  const [row] = await database.execute(
    `SELECT count(*) AS n FROM pg_locks WHERE ${where} AND pid IN
      (SELECT pid FROM pg_stat_activity WHERE application_name = current_setting('application_name'))`,
  );
  return Number(row?.n);
}
