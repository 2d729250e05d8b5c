import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import type { Answer, Question } from "./reader.ts";

const database = new Database(workerData as string, { readonly: true, fileMustExist: true });

function answer({ id, sql, parameters }: Question): Answer {
  try {
    const statement = database.prepare<unknown[], Record<string, unknown>>(sql);
    if (statement.reader) return { id, rows: statement.all(...parameters) };
    statement.run(...parameters);
    return { id, rows: [] };
  } catch (error) {
    const { message, code = "" } = error as Error & { code?: string };
    return { id, failure: { message, code } };
  }
}

parentPort?.on("message", (message: Question | "stop") => {
  if (message !== "stop") {
    parentPort?.postMessage(answer(message));
    return;
  }
  database.close();
  parentPort?.close();
});
