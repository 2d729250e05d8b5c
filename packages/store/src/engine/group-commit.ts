import {
  type Answered,
  answer,
  Caution,
  commitGroup,
  type GroupTerms,
  NeedsSavepoint,
  type Piece,
} from "./commit-group.ts";
import type { Connection } from "./connection.ts";
import type { Undo, Work, WriteOptions } from "./engine.ts";
import { addGroup, type Gathered, gatherMs, noPace } from "./gather.ts";
import { isBusy, isUnavailable } from "./sqlite-fault.ts";
import { StoreUnavailable, waitAfter } from "./unavailable.ts";

/** The most pieces in one commit; more would block the event loop for longer than a few milliseconds. */
const GROUP = 128;

/** The number of further groups that set savepoints after one was needed. */
const CAUTION = 64;

interface Write extends Piece, Gathered {
  /** The number of requests that wait for it, once it has run. Absent: one. */
  size: (() => number) | undefined;
}

export interface GroupOptions {
  database: Connection;
  /** Runs work to its end. */
  drive: <T>(work: Work<T>) => T;
  /** A counter that rises with each change of the database. */
  changes(): number;
  /** Resolves when everything committed so far is on disk. Absent: answers wait for the commit only. */
  sync?(): Promise<void>;
}

/**
 * Commits together all work that arrives in one turn of the event loop, or under load in the time that `gatherMs` tells.
 * A promise resolves once the commit of its work is on disk, or for soft work once it is made. The wait for the disk
 * does not block the event loop.
 */
export class GroupCommit {
  readonly #database: Connection;
  readonly #drive: GroupOptions["drive"];
  readonly #terms: GroupTerms;
  readonly #statements;
  readonly #caution = new Caution(CAUTION);
  readonly #sync: GroupOptions["sync"];
  readonly #waiting: Write[] = [];
  #scheduled = false;
  #gathering: NodeJS.Timeout | undefined;
  #pace = noPace;
  #closed = false;
  #tried = 0;
  #syncing: Promise<void> | undefined;
  #paused = false;

  constructor({ database, drive, changes, sync }: GroupOptions) {
    this.#database = database;
    this.#drive = drive;
    this.#sync = sync;
    this.#terms = {
      changes,
      // Some errors (disk full) end the whole transaction: the rest of the group is lost with it.
      isFatal: (error) => isUnavailable(error) || !database.inTransaction,
      survivesFailure: true,
    };
    this.#statements = {
      begin: database.prepare("BEGIN IMMEDIATE"),
      commit: database.prepare("COMMIT"),
      rollback: database.prepare("ROLLBACK"),
    };
  }

  add<T>(
    work: () => Work<T | Undo<T>>,
    { soft = false, batch, size }: Pick<WriteOptions<T>, "soft" | "batch" | "size"> = {},
  ): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreUnavailable("it is closed"));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push({
      work,
      lasting: !soft,
      at: performance.now(),
      size,
      batch,
      resolve: resolve as (value: unknown) => void,
      reject,
    });
    if (soft && this.#gathering) this.#begin();
    else this.#next();
    return promise;
  }

  /** Refuses further work, and resolves when all accepted work has its answer. */
  async close(): Promise<void> {
    const last = this.add(function* () {});
    this.#closed = true;
    await last.catch(() => {});
    await this.#syncing;
  }

  /** Stops commits until a promise resolves; work that arrives meanwhile is committed afterwards. */
  pause(until: Promise<void>): void {
    this.#paused = true;
    void until.then(() => {
      this.#paused = false;
      this.#next();
    });
  }

  readonly #flush = (): void => {
    this.#gathering = undefined;
    if (this.#paused) {
      this.#scheduled = false;
      return;
    }
    const group = this.#waiting.slice(0, GROUP);
    let answers: Answered<Write>[];
    try {
      answers = this.#commit(group);
      this.#tried = 0;
    } catch (error) {
      const wait = isBusy(error) ? waitAfter(++this.#tried) : undefined;
      if (wait !== undefined) {
        setTimeout(this.#flush, wait);
        return;
      }
      this.#tried = 0;
      answers = [];
      // The database is unavailable: the whole queue fails now.
      for (const { reject } of this.#waiting.splice(0)) reject(new StoreUnavailable(error));
    }
    this.#waiting.splice(0, group.length);
    this.#scheduled = false;
    const sync = this.#sync;
    const lasting: Answered<Write>[] = [];
    let requests = 0;
    for (const answered of answers) {
      const { piece } = answered;
      if (piece.lasting) requests += piece.size?.() ?? 1;
      if (sync && piece.lasting) lasting.push(answered);
      else answer(answered);
    }
    if (requests > 0) this.#pace = addGroup(this.#pace, requests, performance.now());
    if (sync && lasting.length > 0) this.#syncing = this.#settle(sync, lasting);
    this.#next();
  };

  /** Schedules the next group. Work gathers during a wait for the disk, so groups grow under load. */
  #next(): void {
    if (this.#waiting.length === 0 || this.#scheduled || this.#syncing || this.#paused) return;
    this.#scheduled = true;
    const wait = gatherMs(this.#pace, this.#waiting, performance.now());
    if (wait === 0) this.#begin();
    else this.#gathering = setTimeout(this.#flush, wait);
  }

  /** Has the waiting work committed after this turn of the event loop. */
  #begin(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    setImmediate(this.#flush);
  }

  /** Commits a group. Throws if the database takes none of it; an error of a single piece is that piece's answer. */
  #commit(group: readonly Write[]): Answered<Write>[] {
    const { begin, commit, rollback } = this.#statements;
    const withSavepoints = this.#caution.take();
    begin.run();
    try {
      const answers = this.#drive(commitGroup(group, withSavepoints, this.#terms));
      commit.run();
      return answers;
    } catch (error) {
      if (this.#database.inTransaction) rollback.run();
      if (!(error instanceof NeedsSavepoint)) throw error;
      this.#caution.raise();
      return this.#commit(group);
    }
  }

  async #settle(sync: () => Promise<void>, answers: readonly Answered<Write>[]): Promise<void> {
    try {
      await sync();
      for (const answered of answers) answer(answered);
    } catch (error) {
      for (const { piece } of answers) piece.reject(new StoreUnavailable(error));
    }
    this.#syncing = undefined;
    this.#next();
  }
}
