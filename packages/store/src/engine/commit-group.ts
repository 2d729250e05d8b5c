import { toBatches } from "./batches.ts";
import { type Batch, type Query, Undo, type Work } from "./engine.ts";

/** Work, and the promise of its caller. */
export interface Piece {
  work: () => Work<unknown>;
  batch: Batch | undefined;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** A piece that is done, and the answer for its caller once the transaction is committed. */
export type Answered<P extends Piece> = { piece: P } & ({ value: unknown } | { error: unknown });

/** Answers the caller of a piece. */
export function answer(answered: Answered<Piece>): void {
  const { piece } = answered;
  if ("error" in answered) piece.reject(answered.error);
  else piece.resolve(answered.value);
}

/** The properties of a database that decide how a group is committed. */
export interface GroupTerms {
  /** A counter that rises with each change of the database. */
  changes(): number;
  /** Errors that end the whole transaction, and with it the group. */
  isFatal(error: unknown): boolean;
  /** True if a transaction goes on after a statement that failed. */
  survivesFailure: boolean;
}

/** A piece must be undone, but its group was begun without savepoints. */
export class NeedsSavepoint extends Error {}

/**
 * Decides whether a group sets savepoints, which cost statements: after one was needed, the next `groups` groups do.
 */
export class Caution {
  readonly #groups: number;
  #remaining = 0;

  constructor(groups: number) {
    this.#groups = groups;
  }

  /** True if the next group should set savepoints. */
  take(): boolean {
    if (this.#remaining === 0) return false;
    this.#remaining -= 1;
    return true;
  }

  raise(): void {
    this.#remaining = this.#groups;
  }
}

const statement = (sql: string): Query => ({ sql, parameters: [] });
const MARK = statement("SAVEPOINT piece");
const KEEP = statement("RELEASE piece");
const UNDO = statement("ROLLBACK TO piece");

/**
 * Runs all pieces of one transaction, between its BEGIN and its COMMIT. A piece that is undone or fails must not affect
 * the others. If such a piece has changed anything, this throws `NeedsSavepoint`, and the group must be begun anew
 * `withSavepoints`, one for each piece.
 */
export function* commitGroup<P extends Piece>(
  group: readonly P[],
  withSavepoints: boolean,
  terms: GroupTerms,
): Work<Answered<P>[]> {
  const answers: Answered<P>[] = [];
  const batches =
    group.length === 1 ? [group] : withSavepoints ? group.map((piece) => [piece]) : toBatches(group);
  for (const batch of batches) {
    const values = batch.length > 1 ? yield* runBatch(batch, terms) : undefined;
    if (values) for (const [i, piece] of batch.entries()) answers.push({ piece, value: values[i] });
    else for (const piece of batch) answers.push(yield* runPiece(piece, withSavepoints, terms));
  }
  return answers;
}

/** Runs several pieces as one batch and returns their answers; `undefined` if each has to be run alone. */
function* runBatch(pieces: readonly Piece[], terms: GroupTerms): Work<unknown[] | undefined> {
  const batch = pieces[0]?.batch;
  if (!batch) return undefined;
  const before = terms.changes();
  try {
    const values = yield* batch.all(pieces.map((one) => one.batch?.item));
    if (!(values instanceof Undo)) return values;
  } catch (error) {
    if (terms.isFatal(error)) throw error;
    if (!terms.survivesFailure) throw new NeedsSavepoint();
  }
  if (terms.changes() !== before) throw new NeedsSavepoint();
  return undefined;
}

function* runPiece<P extends Piece>(piece: P, withSavepoint: boolean, terms: GroupTerms): Work<Answered<P>> {
  const before = terms.changes();
  const undo = function* (): Work<void> {
    if (withSavepoint) {
      yield UNDO;
      yield KEEP;
    } else if (terms.changes() !== before) throw new NeedsSavepoint();
  };
  if (withSavepoint) yield MARK;
  let value: unknown;
  try {
    value = yield* piece.work();
  } catch (error) {
    if (terms.isFatal(error)) throw error;
    if (!withSavepoint && !terms.survivesFailure) throw new NeedsSavepoint();
    yield* undo();
    return { piece, error };
  }
  if (!(value instanceof Undo)) {
    if (withSavepoint) yield KEEP;
    return { piece, value };
  }
  yield* undo();
  return { piece, value: value.value };
}
