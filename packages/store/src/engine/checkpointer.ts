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
  // Only the names in import statements are rewritten by the build, so this one follows its own file's.
  const source = new URL("./checkpoint-thread.ts", import.meta.url);
  const file = import.meta.url.endsWith(".ts") ? source : new URL(source.href.replace(/ts$/, "js"));
  const worker = new Worker(file, { workerData: path });
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
