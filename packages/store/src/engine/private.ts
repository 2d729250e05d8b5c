import { chmodSync, closeSync, openSync, statSync } from "node:fs";

/** Creates a missing file, empty, that only its owner can use. An existing file is not opened. */
export function makePrivate(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })) return;
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    // Another process has created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Removes other users' permissions on a file. A missing file, or another user's, is left alone. */
export function tighten(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && found.uid === process.getuid?.() && (found.mode & 0o077) !== 0)
    chmodSync(path, found.mode & 0o700);
}
