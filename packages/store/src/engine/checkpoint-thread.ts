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

/** Passive: it waits for no reader and no writer, and takes what it can. True where that is all there was. */
const move = (): boolean => {
  const { log, checkpointed } = checkpoint("PASSIVE");
  return checkpointed === log;
};

const timer = setInterval(() => {
  const { log, checkpointed } = checkpoint("NOOP");
  if (log < logPages || checkpointed === log) return;
  // A report that is read for seconds keeps its part of the log: commits that pause would do so in vain, at each look.
  if (!move()) return;
  // Moving all of the log ends with a wait for the disk: it has little left to wait for when commits pause for it.
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
