import { StoreUnavailable } from "../unavailable.ts";
import { type Answered, Caution, NeedsSavepoint, type Piece } from "./commit-group.ts";
import type { Batch, Undo, Work } from "./engine.ts";
import { type AccountPiece, type Across, createLanes, type Queue } from "./lanes.ts";

/** The way in which a database runs the work of one queue. */
export interface Transactions {
  /** One piece in a transaction of its own. */
  alone<T>(work: () => Work<T | Undo<T>>): Promise<T>;
  /** A group of one account in one transaction, resolved when it is committed. May reject with `NeedsSavepoint`. */
  together(group: readonly Piece[], withSavepoints: boolean): Promise<Answered<Piece>[]>;
  /** A group of several accounts in one transaction, which waits for none that is locked. */
  across: Across;
}

export type AccountQueues = <T>(
  account: string,
  work: () => Work<T | Undo<T>>,
  batch?: Batch<T>,
) => Promise<T>;

/** The most that one commit carries: its locks are held for as long as all of it takes. */
const GROUP = 32;
/** For how many groups savepoints are set after one was needed. */
const CAUTION = 16;

/**
 * Work on one account waits for that account's row, however many connections there are. So the work of an account is
 * carried by one connection at a time, in one transaction for all that has gathered: the row is locked once, and
 * many pieces share a commit. Pieces that can be carried with those of other accounts are.
 */
export function createAccountQueues({ alone, together, across }: Transactions): AccountQueues {
  const queues = new Map<string, Queue>();

  /** Has an account carried of which nothing is under way. */
  const next = (queue: Queue): void => {
    if (queue.waiting.length === 0) queues.delete(queue.account);
    else if (!lanes.offer(queue)) void run(queue);
  };
  const lanes = createLanes(across, next);

  const run = async (queue: Queue): Promise<void> => {
    const { waiting } = queue;
    const group = waiting.splice(0, GROUP);
    try {
      await carry(group, queue.caution);
    } catch (error) {
      // The database is down: the whole queue fails now, instead of each group after its own wait.
      if (error instanceof StoreUnavailable) group.push(...waiting.splice(0));
      for (const { reject } of group) reject(error);
    }
    next(queue);
  };

  const carry = async (group: AccountPiece[], caution: Caution): Promise<void> => {
    const [first, ...more] = group;
    if (first && more.length === 0) return first.resolve(await alone(first.work));
    try {
      for (const { answer } of await together(group, caution.take())) answer();
    } catch (error) {
      if (!(error instanceof NeedsSavepoint)) throw error;
      caution.raise();
      await carry(group, caution);
    }
  };

  return <T>(account: string, work: () => Work<T | Undo<T>>, batch?: Batch<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const piece = { account, work, batch, resolve: resolve as (value: unknown) => void, reject };
      const queue = queues.get(account);
      if (queue) {
        queue.waiting.push(piece);
        return;
      }
      const begun = { account, waiting: [piece], passedOver: 0, caution: new Caution(CAUTION) };
      queues.set(account, begun);
      next(begun);
    });
}
