import { chmodSync, closeSync, openSync, statSync } from "node:fs";

/** Makes a missing file, empty, for its owner alone. Nothing is opened where it is there. */
export function makePrivate(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })) return;
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    // Another process has made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Takes away what other users may do with a file. One that is missing, or another user's, stays as it is. */
export function tighten(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && found.uid === process.getuid?.() && (found.mode & 0o077) !== 0)
    chmodSync(path, found.mode & 0o700);
}
