import Database from "better-sqlite3";
import type { Query, Row, Work } from "./engine.ts";
import type { StoreLog } from "./log.ts";
import { isUnavailable } from "./sqlite-fault.ts";
import { keepThread, type Thread, threadFile } from "./thread.ts";
import { StoreUnavailable } from "./unavailable.ts";

/** A statement sent to the thread, and the thread's answer. */
export interface Question extends Pick<Query, "sql" | "parameters"> {
  id: number;
}
export type Answer = { id: number; rows: Row[] } | { id: number; failure: { message: string; code: string } };

export interface Reader {
  /** Runs work that only reads; each statement sees its own state of the database. */
  read<T>(work: () => Work<T>): Promise<T>;
  /** Runs work that only reads on one consistent state of the database; snapshots run one after the other. */
  snapshot<T>(work: () => Work<T>): Promise<T>;
  /** Stops the thread, which may finish its current statement; waiting work fails. */
  stop(): Promise<void>;
}

const BEGIN: Query = { sql: "BEGIN", parameters: [] };
const END: Query = { sql: "ROLLBACK", parameters: [] };

/**
 * Reads a database from a separate thread and connection, started by the first work, so that reads of minutes do not
 * delay requests.
 */
export function createReader(path: string, log: StoreLog | undefined): Reader {
  const waiting = new Map<number, { resolve(rows: Row[]): void; reject(error: Error): void }>();
  let thread: Thread | undefined;
  let isStopped = false;
  let calls = 0;
  let last: Promise<unknown> = Promise.resolve();

  const answer = (message: Answer): void => {
    const one = waiting.get(message.id);
    waiting.delete(message.id);
    if (waiting.size === 0) thread?.hold(false);
    if ("rows" in message) one?.resolve(message.rows);
    else one?.reject(new Database.SqliteError(message.failure.message, message.failure.code));
  };
  const start = (): Thread =>
    keepThread<Answer>({
      name: "reader",
      file: threadFile("reader"),
      data: path,
      log,
      onMessage: answer,
      ended() {
        for (const { reject } of waiting.values()) reject(new StoreUnavailable("its reader was lost"));
        waiting.clear();
      },
    });

  const ask = ({ sql, parameters }: Query): Promise<Row[]> =>
    new Promise((resolve, reject) => {
      if (isStopped) throw new StoreUnavailable("it is closed");
      thread ??= start();
      const id = calls++;
      if (!thread.post({ id, sql, parameters } satisfies Question))
        throw new StoreUnavailable("its reader was lost");
      waiting.set(id, { resolve, reject });
      thread.hold(true);
    });

  /** Runs work to its end. A failed statement throws inside the work, which may catch the error and continue. */
  const drive = async <T>(work: Work<T>): Promise<T> => {
    let step = work.next();
    while (!step.done) {
      let rows: Row[];
      try {
        rows = await ask(step.value as Query);
      } catch (error) {
        step = work.throw(error);
        continue;
      }
      step = work.next(rows);
    }
    return step.value;
  };
  const read = async <T>(work: () => Work<T>): Promise<T> => {
    try {
      return await drive(work());
    } catch (error) {
      throw isUnavailable(error) ? new StoreUnavailable(error) : error;
    }
  };

  return {
    read,
    snapshot(work) {
      const result = last.then(async () => {
        await read(function* () {
          yield BEGIN;
        });
        try {
          return await read(work);
        } finally {
          // The transaction of a lost thread has ended with it.
          await ask(END).catch(() => {});
        }
      });
      last = result.catch(() => {});
      return result;
    },
    async stop() {
      isStopped = true;
      await thread?.stop();
    },
  };
}
