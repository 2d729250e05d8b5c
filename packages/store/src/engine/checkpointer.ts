import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface Checkpointer {
  stop(): Promise<void>;
}

/**
 * Moves the write-ahead log into the database from a thread of its own, where waiting for the disk holds nobody
 * up; on the writing connection the same work stalls the event loop. Should the thread fail, the connection's own
 * limit takes over.
 */
export function startCheckpointer(path: string): Checkpointer {
  const file = import.meta.url.endsWith(".ts") ? "./checkpoint-thread.ts" : "./checkpoint-thread.js";
  const worker = new Worker(new URL(file, import.meta.url), { workerData: path });
  let running = true;
  worker.on("error", () => {});
  worker.once("exit", () => {
    running = false;
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
