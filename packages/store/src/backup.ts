import { closeSync, openSync, statSync } from "node:fs";
import type { Database } from "better-sqlite3";
import { StoreUnavailable } from "./unavailable.ts";

/** Every page in one step: a copy in several would begin anew with each commit of another process. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copies a SQLite database, which processes may be writing to, into a new file for its owner alone: one state of it,
 * in one file. Resolves to the bytes of the copy once that has been checked. Throws `StoreUnavailable` where there is
 * no database, where the target is there already, and where the copy is not whole.
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
    // Without a log beside it the copy is one file, and can be moved as one.
    copy.pragma("journal_mode = DELETE");
    const found = copy.pragma("integrity_check(1)", { simple: true });
    if (found !== "ok") throw new Error(`the copy of the database is damaged: ${found}`);
  } finally {
    copy.close();
  }
}
