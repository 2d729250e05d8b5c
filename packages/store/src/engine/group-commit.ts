import Database from "better-sqlite3";
import { StoreUnavailable, waitAfter } from "../unavailable.ts";
import { Undo, type Work } from "./engine.ts";

interface Waiting {
  work: () => Work<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** The most that one commit carries; more would hold the event loop for longer than a few milliseconds. */
const GROUP = 128;

/** How long a group may gather, in milliseconds, while the last one shows that there is company to wait for. */
const GATHER = 1;

/**
 * Carries all the work that arrives in one turn of the event loop in one transaction: the wait for the disk, most
 * of what a commit costs, is shared. Under load a group gathers a little longer; a lone piece never waits. Each piece has its own savepoint, so one that is undone or fails leaves the
 * others alone, and no promise resolves before the commit that holds its work.
 */
export class GroupCommit {
  readonly #database: Database.Database;
  readonly #drive: <T>(work: Work<T>) => T;
  readonly #statements;
  readonly #waiting: Waiting[] = [];
  #scheduled = false;
  #closed = false;
  #tried = 0;
  #lastSize = 0;
  #lastEnd = 0;

  constructor(database: Database.Database, drive: <T>(work: Work<T>) => T) {
    this.#database = database;
    this.#drive = drive;
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
      if (!this.#scheduled) this.#schedule();
    });
  }

  /** Refuses further work and resolves when all that was accepted has its answer. */
  async close(): Promise<void> {
    const last = this.add(function* () {});
    this.#closed = true;
    await last.catch(() => {});
  }

  #schedule(waitMs = this.#gather()): void {
    this.#scheduled = true;
    if (waitMs === undefined) setImmediate(() => this.#flush());
    else setTimeout(() => this.#flush(), waitMs);
  }

  #gather(): number | undefined {
    return this.#lastSize > 1 && performance.now() - this.#lastEnd < GATHER ? GATHER : undefined;
  }

  #flush(): void {
    const group = this.#waiting.slice(0, GROUP);
    let answers: (() => void)[];
    let wait: number | undefined;
    try {
      answers = this.#commit(group);
      this.#tried = 0;
    } catch (error) {
      wait = isBusy(error) ? waitAfter(++this.#tried) : undefined;
      if (wait !== undefined) {
        this.#schedule(wait);
        return;
      }
      this.#tried = 0;
      answers = group.map(
        ({ reject }) =>
          () =>
            reject(new StoreUnavailable(error)),
      );
    }
    this.#lastSize = group.length;
    this.#lastEnd = performance.now();
    this.#waiting.splice(0, group.length);
    this.#scheduled = false;
    if (this.#waiting.length > 0) this.#schedule();
    for (const answer of answers) answer();
  }

  #commit(group: readonly Waiting[]): (() => void)[] {
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

  #carry({ work, resolve, reject }: Waiting): () => void {
    this.#statements.mark.run();
    try {
      const value = this.#drive(work());
      if (!(value instanceof Undo)) {
        this.#statements.keep.run();
        return () => resolve(value);
      }
      this.#drop();
      return () => resolve(value.value);
    } catch (error) {
      // The database ends the whole transaction on some errors (disk full); then there is nothing left to save.
      if (isUnavailable(error) || !this.#database.inTransaction) throw error;
      this.#drop();
      return () => reject(error);
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
