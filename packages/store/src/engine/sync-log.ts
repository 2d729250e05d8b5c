import { closeSync, fdatasync, openSync } from "node:fs";

/**
 * Waits until the write-ahead log is on disk, in a thread of the pool instead of on the event loop: a commit that
 * was written before the call survives a power loss once it resolves, as it would under `synchronous = FULL`.
 * A file is synced whole, whichever process wrote to it.
 */
export function syncLog(path: string): { sync(): Promise<void>; close(): void } {
  let file: number | undefined;
  return {
    sync: () =>
      new Promise((resolve, reject) => {
        // The log exists from the first commit on, and as long as a connection is open.
        file ??= openSync(path, "r+");
        fdatasync(file, (error) => (error ? reject(error) : resolve()));
      }),
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
