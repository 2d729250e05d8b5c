import { StoreUnavailable } from "../unavailable.ts";
import { toBatches } from "./batches.ts";
import { type Batch, Undo, type Work } from "./engine.ts";

interface Waiting {
  work: () => Work<unknown>;
  batch: Batch | undefined;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** One transaction on one connection. */
export interface Transaction {
  drive<T>(work: Work<T>): Promise<T>;
  /** Goes up with whatever changes the database. */
  changes(): number;
  mark(): Promise<void>;
  keep(): Promise<void>;
  undo(): Promise<void>;
}

/** How a database carries work. */
export interface Transactions {
  /** One piece in a transaction of its own. */
  alone<T>(work: () => Work<T | Undo<T>>): Promise<T>;
  together<T>(body: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Errors after which the whole transaction has to be begun anew. */
  isTransient(error: unknown): boolean;
}

export type Lanes = <T>(lane: string, work: () => Work<T | Undo<T>>, batch?: Batch<T>) => Promise<T>;

/** The most that one commit carries: its locks are held for as long as all of it takes. */
const GROUP = 32;
/** For how many groups savepoints are set after one was needed. */
const CAREFUL = 16;

/** A piece has to be taken back out of a group that was begun without savepoints. */
class Entangled extends Error {}

/**
 * Work on one account waits for that account's row, however many connections there are. So the work of a lane is
 * carried by one connection at a time, in one transaction for all that has gathered: the row is locked once, and
 * many pieces share a commit. A piece that is undone or fails leaves the others alone.
 */
export function createLanes({ alone, together, isTransient }: Transactions): Lanes {
  const lanes = new Map<string, { waiting: Waiting[]; careful: number }>();

  const run = async (lane: string, state: { waiting: Waiting[]; careful: number }): Promise<void> => {
    while (state.waiting.length > 0) {
      const group = state.waiting.splice(0, GROUP);
      try {
        for (const answer of await carry(group, state)) answer();
      } catch (error) {
        // Nobody waits behind others for a database that is not there.
        if (error instanceof StoreUnavailable) group.push(...state.waiting.splice(0));
        for (const { reject } of group) reject(error);
      }
    }
    lanes.delete(lane);
  };

  /** What to tell whom, once all of it is committed. */
  const carry = async (group: Waiting[], state: { careful: number }): Promise<(() => void)[]> => {
    const [first, ...more] = group;
    if (first && more.length === 0) {
      const value = await alone(first.work);
      return [() => first.resolve(value)];
    }
    const careful = state.careful > 0;
    if (careful) state.careful -= 1;
    try {
      return await together(async (transaction) => {
        const answers: (() => void)[] = [];
        const batches = careful ? group.map((one) => [one]) : toBatches(group);
        for (const batch of batches) answers.push(...(await pieces(batch, transaction, careful)));
        return answers;
      });
    } catch (error) {
      if (!(error instanceof Entangled)) throw error;
      state.careful = CAREFUL;
      return carry(group, state);
    }
  };

  /** One piece, or several as one; each by itself where that cannot be. */
  const pieces = async (
    many: Waiting[],
    transaction: Transaction,
    careful: boolean,
  ): Promise<(() => void)[]> => {
    const [{ batch }] = many as [Waiting];
    if (batch && many.length > 1) {
      const before = transaction.changes();
      const values = await transaction.drive(batch.all(many.map((one) => one.batch?.item))).catch((error) => {
        if (isTransient(error)) throw error;
        // A statement that failed has ended the transaction.
        throw new Entangled();
      });
      if (!(values instanceof Undo))
        return many.map(
          ({ resolve }, i) =>
            () =>
              resolve(values[i]),
        );
      if (transaction.changes() !== before) throw new Entangled();
    }
    const answers: (() => void)[] = [];
    for (const one of many) answers.push(await piece(one, transaction, careful));
    return answers;
  };

  const piece = async (
    { work, resolve, reject }: Waiting,
    transaction: Transaction,
    careful: boolean,
  ): Promise<() => void> => {
    const before = transaction.changes();
    if (careful) await transaction.mark();
    try {
      const value = await transaction.drive(work());
      if (!(value instanceof Undo)) {
        if (careful) await transaction.keep();
        return () => resolve(value);
      }
      if (careful) await transaction.undo();
      else if (transaction.changes() !== before) throw new Entangled();
      return () => resolve(value.value);
    } catch (error) {
      if (error instanceof Entangled || isTransient(error)) throw error;
      // A statement that failed has ended the transaction; only a savepoint brings it back.
      if (!careful) throw new Entangled();
      await transaction.undo();
      return () => reject(error);
    }
  };

  return <T>(lane: string, work: () => Work<T | Undo<T>>, batch?: Batch<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const one = { work, batch, resolve: resolve as (value: unknown) => void, reject };
      const state = lanes.get(lane);
      if (state) {
        state.waiting.push(one);
        return;
      }
      const begun = { waiting: [one], careful: 0 };
      lanes.set(lane, begun);
      void run(lane, begun);
    });
}
