import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import type { StoreLog } from "../log.ts";
import { keepThread } from "./thread.ts";

/** The data of its thread. */
export interface Log {
  path: string;
  /** From this length on it should begin anew. */
  logPages: number;
  /** A descriptor of the database, to wait for the disk by. */
  file: number;
}

export interface Checkpointer {
  stop(): Promise<void>;
}

const files = new Map<string, number>();

/**
 * A descriptor of the database that stays open as long as the process lives: closing one gives up every lock that
 * the process has on the file, those of its connections too. Of a file that is gone there is nothing to keep.
 */
function fileOf(path: string): number {
  const known = files.get(path);
  if (known !== undefined) {
    if (fstatSync(known).ino === statSync(path).ino) return known;
    closeSync(known);
  }
  const file = openSync(path, "r+");
  files.set(path, file);
  return file;
}

/**
 * Moves the write-ahead log into the database from a thread of its own, where waiting for the disk holds no request
 * up; on the writing connection the same work stalls the event loop. The log begins anew only when all of it has
 * been moved, which never is while it is written to: once it is long, `pause` is called to make no commits until the
 * rest is moved too, a millisecond later. While a lost thread is not yet replaced, the connection's own limit holds.
 */
export function startCheckpointer(
  log: Omit<Log, "file">,
  pause: (until: Promise<void>) => void,
  report: StoreLog | undefined,
): Checkpointer {
  let resume = (): void => {};
  const thread = keepThread<"long" | "moved">({
    name: "checkpoint",
    file: new URL("./checkpoint-thread.ts", import.meta.url),
    data: { ...log, file: fileOf(log.path) } satisfies Log,
    log: report,
    said(message) {
      if (message === "moved") return resume();
      // While work waits for it the thread keeps the process alive, as the work itself would.
      thread.hold(true);
      pause(
        new Promise((resolve) => {
          resume = () => {
            thread.hold(false);
            resolve();
          };
        }),
      );
      thread.post("rest");
    },
    ended: () => resume(),
  });
  return { stop: thread.stop };
}
