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
// Prepared once: the log is checked twenty times a second, and preparing costs more than the check.
const prepare = (mode: "NOOP" | "PASSIVE") => database.prepare<[], Lengths>(`PRAGMA wal_checkpoint(${mode})`);
const look = prepare("NOOP");
const passive = prepare("PASSIVE");

/** Moves as much of the log as it can without waiting for a reader or a writer. True if that was all of it. */
const move = (): boolean => {
  const { log, checkpointed } = passive.get()!;
  return checkpointed === log;
};

const timer = setInterval(() => {
  const { log, checkpointed } = look.get()!;
  if (log < logPages || checkpointed === log) return;
  // While a long report runs, its part of the log cannot be moved, so pausing commits would not help.
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
