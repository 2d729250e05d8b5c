import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";

const EVERY_MS = 250;

const database = new Database(workerData as string, { timeout: 100 });

/** Passive: it waits for no reader and no writer, and takes what it can. */
const timer = setInterval(() => database.pragma("wal_checkpoint(PASSIVE)"), EVERY_MS);

parentPort?.once("message", () => {
  clearInterval(timer);
  database.close();
});
