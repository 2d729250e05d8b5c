import { once } from "node:events";
import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import { Worker } from "node:worker_threads";

/** What its thread is told. */
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
 * Moves the write-ahead log into the database from a thread of its own, where waiting for the disk holds nobody
 * up; on the writing connection the same work stalls the event loop. The log begins anew only when all of it has
 * been moved, which never is while it is written to: once it is long, `pause` is asked for, to make no commits until
 * the rest is moved too, a millisecond later. Should the thread fail, the connection's own limit takes over.
 */
export function startCheckpointer(
  log: Omit<Log, "file">,
  pause: (until: Promise<void>) => void,
): Checkpointer {
  // Only the names in import statements are rewritten by the build, so this one follows its own file's.
  const source = new URL("./checkpoint-thread.ts", import.meta.url);
  const file = import.meta.url.endsWith(".ts") ? source : new URL(source.href.replace(/ts$/, "js"));
  const worker = new Worker(file, { workerData: { ...log, file: fileOf(log.path) } satisfies Log });
  let running = true;
  let resume = (): void => {};
  worker.on("message", (told: "long" | "moved") => {
    if (told === "moved") return resume();
    // While work waits for it the thread keeps the process alive, as the work itself would.
    worker.ref();
    pause(
      new Promise((resolve) => {
        resume = () => {
          worker.unref();
          resolve();
        };
      }),
    );
    worker.postMessage("rest");
  });
  worker.on("error", () => {});
  worker.once("exit", () => {
    running = false;
    resume();
  });
  worker.unref();
  return {
    async stop() {
      if (!running) return;
      worker.ref();
      worker.postMessage("stop");
      await once(worker, "exit");
    },
  };
}
