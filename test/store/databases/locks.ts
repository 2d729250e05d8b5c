import type { Database } from "./database.ts";

/** For how long a test waits for locks, in ms: a busy machine takes seconds to begin a statement. */
export const PATIENCE = { interval: 10, timeout: 10_000 };

/** How many locks the connections of one database have or wait for, of those of the whole server. */
export async function countLocks(database: Database, where: string): Promise<number> {
  const [row] = await database.execute(
    `SELECT count(*) AS n FROM pg_locks WHERE ${where} AND pid IN
      (SELECT pid FROM pg_stat_activity WHERE application_name = current_setting('application_name'))`,
  );
  return Number(row?.n);
}
