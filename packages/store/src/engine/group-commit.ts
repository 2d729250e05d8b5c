import Database from "better-sqlite3";
import { StoreUnavailable, waitAfter } from "../unavailable.ts";
import { toBatches } from "./batches.ts";
import { type Batch, Undo, type Work, type WriteOptions } from "./engine.ts";

interface Waiting {
  work: () => Work<unknown>;
  /** Its answer waits for the disk. */
  lasting: boolean;
  batch: Batch | undefined;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** What to do once the work is committed, and what if it is not. */
interface Answered {
  lasting: boolean;
  answer(): void;
  reject(error: unknown): void;
}

/** The most that one commit carries; more would hold the event loop for longer than a few milliseconds. */
const GROUP = 128;
/** For how many groups savepoints are set after one was needed. */
const CAREFUL = 64;

export interface Commits {
  /** Goes up with whatever changes the database. */
  changes(): number;
  /** Resolves when everything committed so far is on disk; without it a commit is all there is to wait for. */
  sync?(): Promise<void>;
}

/** A piece has to be taken back out of a group that was begun without savepoints. */
class Entangled extends Error {}

/**
 * Carries all the work that arrives in one turn of the event loop in one transaction. A piece that is undone or
 * fails leaves the others alone: should it have changed anything by then, the group is begun anew with a savepoint
 * for each piece. No promise resolves before the commit that holds its work is on disk, or is made where the work
 * is soft; the wait for the disk is not the event loop's.
 */
export class GroupCommit {
  readonly #database: Database.Database;
  readonly #drive: <T>(work: Work<T>) => T;
  readonly #statements;
  readonly #waiting: Waiting[] = [];
  #scheduled = false;
  #closed = false;
  #tried = 0;
  #careful = 0;
  readonly #commits: Commits;
  #syncing: Promise<void> | undefined;
  #paused = false;

  constructor(database: Database.Database, drive: <T>(work: Work<T>) => T, commits: Commits) {
    this.#database = database;
    this.#drive = drive;
    this.#commits = commits;
    this.#statements = {
      begin: database.prepare("BEGIN IMMEDIATE"),
      commit: database.prepare("COMMIT"),
      rollback: database.prepare("ROLLBACK"),
      mark: database.prepare("SAVEPOINT piece"),
      keep: database.prepare("RELEASE piece"),
      undo: database.prepare("ROLLBACK TO piece"),
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
      // Nobody waits behind others for a database that is not there.
      for (const { reject } of this.#waiting.splice(0)) reject(new StoreUnavailable(error));
    }
    this.#waiting.splice(0, group.length);
    this.#scheduled = false;
    const { sync } = this.#commits;
    const lasting = sync ? answers.filter((one) => one.lasting) : [];
    if (sync && lasting.length > 0) this.#syncing = this.#settle(sync, lasting);
    for (const one of answers) if (!sync || !one.lasting) one.answer();
    this.#next();
  }

  /** While the disk is waited for, work gathers: under load the next group is as large as the wait was long. */
  #next(): void {
    const isFree = !this.#scheduled && !this.#syncing && !this.#paused;
    if (this.#waiting.length > 0 && isFree) this.#schedule();
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
    const careful = this.#careful > 0;
    if (careful) this.#careful -= 1;
    this.#statements.begin.run();
    try {
      const answers = careful
        ? group.map((one) => this.#carry(one, careful))
        : toBatches(group).flatMap((batch) => this.#carryAll(batch));
      this.#statements.commit.run();
      return answers;
    } catch (error) {
      if (this.#database.inTransaction) this.#statements.rollback.run();
      if (!(error instanceof Entangled)) throw error;
      this.#careful = CAREFUL;
      return this.#commit(group);
    }
  }

  /** One piece, or several as one; each by itself where that cannot be. */
  #carryAll(pieces: readonly Waiting[]): Answered[] {
    const [{ batch }] = pieces as [Waiting];
    if (batch && pieces.length > 1) {
      const before = this.#commits.changes();
      const answers = this.#all(pieces, batch);
      if (answers)
        return pieces.map(({ lasting, resolve, reject }, i) => ({
          lasting,
          answer: () => resolve(answers[i]),
          reject,
        }));
      this.#drop(false, before);
    }
    return pieces.map((one) => this.#carry(one, false));
  }

  #all(pieces: readonly Waiting[], batch: Batch): unknown[] | undefined {
    try {
      const answers = this.#drive(batch.all(pieces.map((one) => one.batch?.item)));
      return answers instanceof Undo ? undefined : answers;
    } catch (error) {
      if (isUnavailable(error) || !this.#database.inTransaction) throw error;
      return undefined;
    }
  }

  #carry({ work, lasting, resolve, reject }: Waiting, careful: boolean): Answered {
    const before = this.#commits.changes();
    if (careful) this.#statements.mark.run();
    try {
      const value = this.#drive(work());
      if (value instanceof Undo) {
        this.#drop(careful, before);
        return { lasting, answer: () => resolve(value.value), reject };
      }
      if (careful) this.#statements.keep.run();
      return { lasting, answer: () => resolve(value), reject };
    } catch (error) {
      // The database ends the whole transaction on some errors (disk full); then there is nothing left to save.
      if (error instanceof Entangled || isUnavailable(error) || !this.#database.inTransaction) throw error;
      this.#drop(careful, before);
      return { lasting, answer: () => reject(error), reject };
    }
  }

  #drop(careful: boolean, before: number): void {
    if (careful) {
      this.#statements.undo.run();
      this.#statements.keep.run();
    } else if (this.#commits.changes() !== before) throw new Entangled();
  }
}

const codeOf = (error: unknown) => (error instanceof Database.SqliteError ? error.code : "");
const isBusy = (error: unknown) => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));

/** Errors of the file, the disk or a lock, as against errors of a statement or its values. */
export const isUnavailable = (error: unknown): boolean =>
  /^SQLITE_(?!ERROR|CONSTRAINT|MISMATCH|RANGE)/.test(codeOf(error));
