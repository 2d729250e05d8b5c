import Database from "better-sqlite3";

const codeOf = (error: unknown): string => (error instanceof Database.SqliteError ? error.code : "");

/** Another process has the lock: the same may go well a moment later. */
export const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));

/** Errors of the file, the disk or a lock, as against errors of a statement or its values. */
export const isUnavailable = (error: unknown): boolean =>
  /^SQLITE_(?!ERROR|CONSTRAINT|MISMATCH|RANGE)/.test(codeOf(error));
