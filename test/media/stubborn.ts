import { parentPort, threadId } from "node:worker_threads";

/** A thread that misbehaves as it is told; anything else it answers, with its own number. */
parentPort?.on("message", (task: string) => {
  if (task === "spin") for (;;);
  if (task === "grow")
    for (const hoard: unknown[] = []; ; ) hoard.push(Array.from({ length: 10_000 }, Math.random));
  if (task === "throw") throw new Error("no such task");
  if (task === "leave") process.exit(0);
  parentPort?.postMessage({ task, threadId });
});
