import Database from "better-sqlite3";

const codeOf = (error: unknown): string => (error instanceof Database.SqliteError ? error.code : "");

/** True if another process has the lock: the same may succeed a moment later. */
export const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));

/** True for errors of the file, the disk or a lock, and not for those of a statement or its values. */
export const isUnavailable = (error: unknown): boolean =>
  /^SQLITE_(?!ERROR|CONSTRAINT|MISMATCH|RANGE)/.test(codeOf(error));
