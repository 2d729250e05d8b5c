import { fsyncSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import type { Log } from "./checkpointer.ts";

const LOOK_MS = 50;

const { path, logPages, file } = workerData as Log;
const database = new Database(path, { timeout: 100 });

interface Lengths {
  log: number;
  checkpointed: number;
}
const checkpoint = (mode: "NOOP" | "PASSIVE"): Lengths =>
  (database.pragma(`wal_checkpoint(${mode})`) as [Lengths])[0];

/** Moves as much of the log as it can without waiting for a reader or a writer. True if that was all of it. */
const move = (): boolean => {
  const { log, checkpointed } = checkpoint("PASSIVE");
  return checkpointed === log;
};

const timer = setInterval(() => {
  const { log, checkpointed } = checkpoint("NOOP");
  if (log < logPages || checkpointed === log) return;
  // A long report keeps its part of the log from being moved: pausing commits would be in vain.
  if (!move()) return;
  // The final move waits for the disk: syncing now leaves it little to wait for while commits are paused.
  fsyncSync(file);
  parentPort?.postMessage("long");
}, LOOK_MS);

parentPort?.on("message", (message: "rest" | "stop") => {
  if (message === "rest") {
    move();
    parentPort?.postMessage("moved");
    return;
  }
  clearInterval(timer);
  database.close();
  parentPort?.close();
});
