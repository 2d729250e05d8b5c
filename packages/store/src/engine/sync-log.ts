import { closeSync, fdatasync, openSync } from "node:fs";

/**
 * Syncs the write-ahead log to disk, in a thread of the pool instead of on the event loop. Once it resolves,
 * commits made before the call survive a power loss, as they would under `synchronous = FULL`. Syncing covers the whole
 * file, including the writes of other processes.
 */
export function syncLog(path: string): { sync(): Promise<void>; close(): void } {
  let file: number | undefined;
  return {
    sync: () =>
      new Promise((resolve, reject) => {
        // The log exists from the first commit on, while a connection is open.
        file ??= openSync(path, "r+");
        fdatasync(file, (error) => (error ? reject(error) : resolve()));
      }),
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
