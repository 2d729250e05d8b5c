import { StoreUnavailable, waitAfter } from "../unavailable.ts";
import {
  type Answered,
  Caution,
  commitGroup,
  type GroupTerms,
  NeedsSavepoint,
  type Piece,
} from "./commit-group.ts";
import type { Connection } from "./connection.ts";
import type { Undo, Work, WriteOptions } from "./engine.ts";
import { isBusy, isUnavailable } from "./sqlite-fault.ts";

/** The most that one commit carries; more would hold the event loop for longer than a few milliseconds. */
const GROUP = 128;

/** For how many groups savepoints are set after one was needed. */
const CAUTION = 64;

/** Work whose answer waits for the disk, or does not. */
interface Write extends Piece {
  lasting: boolean;
}

export interface GroupOptions {
  database: Connection;
  /** Runs work to its end. */
  drive: <T>(work: Work<T>) => T;
  /** Goes up with whatever changes the database. */
  changes(): number;
  /** Resolves when everything committed so far is on disk; without it a commit is all there is to wait for. */
  sync?(): Promise<void>;
}

/**
 * Commits all the work that arrives in one turn of the event loop at once. No promise resolves before the commit that
 * holds its work is on disk, or is made where the work is soft; the wait for the disk is not the event loop's.
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
      // The database ends the whole transaction on some errors (disk full); then there is nothing left to save.
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
    { soft = false, batch }: Pick<WriteOptions<T>, "soft" | "batch"> = {},
  ): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreUnavailable("it is closed"));
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        work,
        lasting: !soft,
        batch,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.#next();
    });
  }

  /** Refuses further work and resolves when all that was accepted has its answer. */
  async close(): Promise<void> {
    const last = this.add(function* () {});
    this.#closed = true;
    await last.catch(() => {});
    await this.#syncing;
  }

  /** Makes no commits until then; what comes meanwhile is carried after it. */
  pause(until: Promise<void>): void {
    this.#paused = true;
    void until.then(() => {
      this.#paused = false;
      this.#next();
    });
  }

  #schedule(waitMs?: number): void {
    this.#scheduled = true;
    if (waitMs === undefined) setImmediate(() => this.#flush());
    else setTimeout(() => this.#flush(), waitMs);
  }

  #flush(): void {
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
        this.#schedule(wait);
        return;
      }
      this.#tried = 0;
      answers = [];
      // The database is down: the whole queue fails now.
      for (const { reject } of this.#waiting.splice(0)) reject(new StoreUnavailable(error));
    }
    this.#waiting.splice(0, group.length);
    this.#scheduled = false;
    const sync = this.#sync;
    const lasting = sync ? answers.filter(({ piece }) => piece.lasting) : [];
    if (sync && lasting.length > 0) this.#syncing = this.#settle(sync, lasting);
    for (const one of answers) if (!sync || !one.piece.lasting) one.answer();
    this.#next();
  }

  /** While the disk is waited for, work gathers: under load the next group is as large as the wait was long. */
  #next(): void {
    const isFree = !this.#scheduled && !this.#syncing && !this.#paused;
    if (this.#waiting.length > 0 && isFree) this.#schedule();
  }

  /** Throws where the database takes none of the group; what a piece itself threw is its own answer. */
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
      for (const { answer } of answers) answer();
    } catch (error) {
      for (const { piece } of answers) piece.reject(new StoreUnavailable(error));
    }
    this.#syncing = undefined;
    this.#next();
  }
}
