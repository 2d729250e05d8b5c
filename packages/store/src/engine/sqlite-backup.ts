import { closeSync, openSync, statSync } from "node:fs";
import type { Database } from "better-sqlite3";
import { StoreUnavailable } from "./unavailable.ts";

/** All pages in one step: a copy in several steps restarts at each commit of another process. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copies one consistent state of a SQLite database, even while processes write to it, into a new file that only its
 * owner can use. Resolves to the size of the checked copy in bytes. Throws `StoreUnavailable` if there is no database,
 * if the target exists, or if the copy is damaged.
 */
export async function backupSqlite(path: string, target: string): Promise<number> {
  const { default: Database } = await import("better-sqlite3");
  try {
    const source = new Database(path, { fileMustExist: true });
    try {
      closeSync(openSync(target, "wx", 0o600));
      await source.backup(target, { progress: () => ALL_PAGES });
    } finally {
      source.close();
    }
    check(new Database(target));
    return statSync(target).size;
  } catch (error) {
    throw new StoreUnavailable(error);
  }
}

function check(copy: Database): void {
  try {
    // Without a write-ahead log the copy is a single file, which can be moved.
    copy.pragma("journal_mode = DELETE");
    const found = copy.pragma("integrity_check(1)", { simple: true });
    if (found !== "ok") throw new Error(`the copy of the database is damaged: ${found}`);
  } finally {
    copy.close();
  }
}
