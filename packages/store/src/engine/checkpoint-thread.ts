import { fsyncSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import type { Log } from "./checkpointer.ts";

const LOOK_MS = 50;

const { path, logPages, file } = workerData as Log;
const database = new Database(path, { timeout: 100 });

/** Passive: it waits for no reader and no writer, and takes what it can. */
const move = (): unknown => database.pragma("wal_checkpoint(PASSIVE)");

const timer = setInterval(() => {
  const [log] = database.pragma("wal_checkpoint(NOOP)") as [{ log: number; checkpointed: number }];
  if (log.log < logPages || log.checkpointed === log.log) return;
  move();
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
