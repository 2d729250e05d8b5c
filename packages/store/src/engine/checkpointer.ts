import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** What its thread is told. */
export interface Log {
  path: string;
  /** From this length on it should begin anew. */
  logPages: number;
}

export interface Checkpointer {
  stop(): Promise<void>;
}

/**
 * Moves the write-ahead log into the database from a thread of its own, where waiting for the disk holds nobody
 * up; on the writing connection the same work stalls the event loop. The log begins anew only when all of it has
 * been moved, which never is while it is written to: once it is long, `pause` is asked for, to make no commits until
 * the rest is moved too, some milliseconds later. Should the thread fail, the connection's own limit takes over.
 */
export function startCheckpointer(log: Log, pause: (until: Promise<void>) => void): Checkpointer {
  // Only the names in import statements are rewritten by the build, so this one follows its own file's.
  const source = new URL("./checkpoint-thread.ts", import.meta.url);
  const file = import.meta.url.endsWith(".ts") ? source : new URL(source.href.replace(/ts$/, "js"));
  const worker = new Worker(file, { workerData: log });
  let running = true;
  let resume = (): void => {};
  worker.on("message", (told: "long" | "moved") => {
    if (told === "moved") return resume();
    pause(
      new Promise((resolve) => {
        resume = resolve;
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
