import Database from "better-sqlite3";
import { StoreUnavailable, waitAfter } from "../unavailable.ts";
import { Undo, type Work } from "./engine.ts";

interface Waiting {
  work: () => Work<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** What to do once the commit is on disk, and what if it does not get there. */
interface Answered {
  answer(): void;
  reject(error: unknown): void;
}

/** The most that one commit carries; more would hold the event loop for longer than a few milliseconds. */
const GROUP = 128;

/**
 * Carries all the work that arrives in one turn of the event loop in one transaction. Each piece has its own
 * savepoint, so one that is undone or fails leaves the others alone. No promise resolves before the commit that
 * holds its work is on disk; that wait is not the event loop's.
 */
export class GroupCommit {
  readonly #database: Database.Database;
  readonly #drive: <T>(work: Work<T>) => T;
  readonly #statements;
  readonly #waiting: Waiting[] = [];
  #scheduled = false;
  #closed = false;
  #tried = 0;
  readonly #sync: (() => Promise<void>) | undefined;
  #syncing: Promise<void> | undefined;

  /** `sync` resolves when everything committed so far is on disk; without it a commit is all there is to wait for. */
  constructor(database: Database.Database, drive: <T>(work: Work<T>) => T, sync?: () => Promise<void>) {
    this.#database = database;
    this.#drive = drive;
    this.#sync = sync;
    this.#statements = {
      begin: database.prepare("BEGIN IMMEDIATE"),
      commit: database.prepare("COMMIT"),
      rollback: database.prepare("ROLLBACK"),
      mark: database.prepare("SAVEPOINT piece"),
      keep: database.prepare("RELEASE piece"),
      undo: database.prepare("ROLLBACK TO piece"),
    };
  }

  add<T>(work: () => Work<T | Undo<T>>): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreUnavailable("it is closed"));
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
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

  #schedule(waitMs?: number): void {
    this.#scheduled = true;
    if (waitMs === undefined) setImmediate(() => this.#flush());
    else setTimeout(() => this.#flush(), waitMs);
  }

  #flush(): void {
    const group = this.#waiting.slice(0, GROUP);
    let answers: Answered[];
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
      for (const { reject } of group) reject(new StoreUnavailable(error));
    }
    this.#waiting.splice(0, group.length);
    this.#scheduled = false;
    if (this.#sync && answers.length > 0) this.#syncing = this.#settle(this.#sync, answers);
    else for (const { answer } of answers) answer();
    this.#next();
  }

  /** While the disk is waited for, work gathers: under load the next group is as large as the wait was long. */
  #next(): void {
    if (this.#waiting.length > 0 && !this.#scheduled && !this.#syncing) this.#schedule();
  }

  async #settle(sync: () => Promise<void>, answers: readonly Answered[]): Promise<void> {
    try {
      await sync();
      for (const { answer } of answers) answer();
    } catch (error) {
      for (const { reject } of answers) reject(new StoreUnavailable(error));
    }
    this.#syncing = undefined;
    this.#next();
  }

  #commit(group: readonly Waiting[]): Answered[] {
    this.#statements.begin.run();
    try {
      const answers = group.map((one) => this.#carry(one));
      this.#statements.commit.run();
      return answers;
    } catch (error) {
      if (this.#database.inTransaction) this.#statements.rollback.run();
      throw error;
    }
  }

  #carry({ work, resolve, reject }: Waiting): Answered {
    this.#statements.mark.run();
    try {
      const value = this.#drive(work());
      if (!(value instanceof Undo)) {
        this.#statements.keep.run();
        return { answer: () => resolve(value), reject };
      }
      this.#drop();
      return { answer: () => resolve(value.value), reject };
    } catch (error) {
      // The database ends the whole transaction on some errors (disk full); then there is nothing left to save.
      if (isUnavailable(error) || !this.#database.inTransaction) throw error;
      this.#drop();
      return { answer: () => reject(error), reject };
    }
  }

  #drop(): void {
    this.#statements.undo.run();
    this.#statements.keep.run();
  }
}

const codeOf = (error: unknown) => (error instanceof Database.SqliteError ? error.code : "");
const isBusy = (error: unknown) => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));

/** Errors of the file, the disk or a lock, as against errors of a statement or its values. */
export const isUnavailable = (error: unknown): boolean =>
  /^SQLITE_(?!ERROR|CONSTRAINT|MISMATCH|RANGE)/.test(codeOf(error));
