import type Database from "better-sqlite3";
import { toBatches } from "./batches.ts";
import { type Batch, Undo, type Work } from "./engine.ts";
import { isUnavailable } from "./sqlite-fault.ts";

/** Work that somebody waits for. */
export interface Piece {
  work: () => Work<unknown>;
  /** Its answer waits for the disk. */
  lasting: boolean;
  batch: Batch | undefined;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** What to do once the work is on disk, and what if it does not get there. */
export interface Answered {
  lasting: boolean;
  answer(): void;
  reject(error: unknown): void;
}

export interface CarrierOptions {
  database: Database.Database;
  /** Does work to its end. */
  drive: <T>(work: Work<T>) => T;
  /** Goes up with whatever changes the database. */
  changes(): number;
}

/** For how many groups savepoints are set after one was needed. */
const CAREFUL = 64;

/** A piece has to be taken back out of a group that was begun without savepoints. */
class Entangled extends Error {}

/**
 * Carries a group of pieces in one transaction. A piece that is undone or fails leaves the others alone: should it
 * have changed anything by then, the group is begun anew with a savepoint for each piece.
 */
export class Carrier {
  readonly #database: Database.Database;
  readonly #drive: CarrierOptions["drive"];
  readonly #changes: () => number;
  readonly #statements;
  #careful = 0;

  constructor({ database, drive, changes }: CarrierOptions) {
    this.#database = database;
    this.#drive = drive;
    this.#changes = changes;
    this.#statements = {
      begin: database.prepare("BEGIN IMMEDIATE"),
      commit: database.prepare("COMMIT"),
      rollback: database.prepare("ROLLBACK"),
      mark: database.prepare("SAVEPOINT piece"),
      keep: database.prepare("RELEASE piece"),
      undo: database.prepare("ROLLBACK TO piece"),
    };
  }

  /** Throws where the database takes none of it; what a piece itself threw is its own answer. */
  commit(group: readonly Piece[]): Answered[] {
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
      return this.commit(group);
    }
  }

  /** One piece, or several as one; each by itself where that cannot be. */
  #carryAll(pieces: readonly Piece[]): Answered[] {
    const [{ batch }] = pieces as [Piece];
    if (batch && pieces.length > 1) {
      const before = this.#changes();
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

  #all(pieces: readonly Piece[], batch: Batch): unknown[] | undefined {
    try {
      const answers = this.#drive(batch.all(pieces.map((one) => one.batch?.item)));
      return answers instanceof Undo ? undefined : answers;
    } catch (error) {
      if (isUnavailable(error) || !this.#database.inTransaction) throw error;
      return undefined;
    }
  }

  #carry({ work, lasting, resolve, reject }: Piece, careful: boolean): Answered {
    const before = this.#changes();
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
    } else if (this.#changes() !== before) throw new Entangled();
  }
}
