import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import type { StoreLog } from "./log.ts";
import { keepThread, threadFile } from "./thread.ts";

/** The data of the checkpoint thread. */
export interface Log {
  path: string;
  /** The length in pages from which on the log should begin anew. */
  logPages: number;
  /** A descriptor of the database file, to sync it to disk. */
  file: number;
}

export interface Checkpointer {
  stop(): Promise<void>;
}

/** The time until the thread starts, in milliseconds: most commands end before, and no log is long by then. */
const DELAY_MS = 200;

const files = new Map<string, number>();

/**
 * A descriptor of the database that stays open while the process lives: closing it would give up every lock that the
 * process has on the file, including those of its connections. If the file was replaced, the old one may be closed.
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
 * Moves the write-ahead log into the database from a separate thread; on the writing connection, waiting for the disk
 * would stall the event loop. The log begins anew only when all of it has been moved, which steady writes prevent: once
 * it is long, `pause` stops commits until the rest is moved, for about a millisecond. While a lost thread is not yet
 * replaced, the connection's own checkpoint limit applies.
 */
export function startCheckpointer(
  log: Omit<Log, "file">,
  pause: (until: Promise<void>) => void,
  report: StoreLog | undefined,
): Checkpointer {
  let resume = (): void => {};
  const thread = keepThread<"long" | "moved">({
    name: "checkpoint",
    file: threadFile("checkpoint"),
    data: { ...log, file: fileOf(log.path) } satisfies Log,
    log: report,
    delayMs: DELAY_MS,
    onMessage(message) {
      if (message === "moved") return resume();
      // Paused work waits for the thread, so the thread keeps the process alive.
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
