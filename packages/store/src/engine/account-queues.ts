import { type Answered, answer, Caution, NeedsSavepoint, type Piece } from "./commit-group.ts";
import type { Batch, Undo, Work } from "./engine.ts";
import { type AccountPiece, createLanes, type Queue, type RunAcross } from "./lanes.ts";
import { StoreUnavailable } from "./unavailable.ts";

/** The ways in which a database runs queued work. */
export interface Transactions {
  /** Runs one piece of work in a transaction of its own. */
  runOne<T>(work: () => Work<T | Undo<T>>): Promise<T>;
  /** Runs pieces of one account in one transaction. Resolves once it is committed. May reject with `NeedsSavepoint`. */
  runGroup(group: readonly Piece[], withSavepoints: boolean): Promise<Answered<Piece>[]>;
  /** Runs pieces of several accounts in one transaction, and skips accounts that are locked. */
  runAcross: RunAcross;
}

export type AccountQueues = <T>(
  account: string,
  work: () => Work<T | Undo<T>>,
  batch?: Batch<T>,
) => Promise<T>;

/** The most pieces in one commit: it holds its locks until all of them are done. */
const GROUP = 32;
/** The number of further groups that set savepoints after one was needed. */
const CAUTION = 16;

/**
 * Queues work by account. Work on one account needs that account's row, so more connections would only wait for each
 * other. One connection at a time runs all waiting work of an account in one transaction: the row is locked once, and
 * many pieces share a commit. Work that can share a transaction with other accounts does.
 */
export function createAccountQueues({ runOne, runGroup, runAcross }: Transactions): AccountQueues {
  const queues = new Map<string, Queue>();

  /** Starts the next work of an account that has none running. */
  const next = (queue: Queue): void => {
    if (queue.waiting.length === 0) queues.delete(queue.account);
    else if (!lanes.offer(queue)) void run(queue);
  };
  const lanes = createLanes(runAcross, next);

  const run = async (queue: Queue): Promise<void> => {
    const { waiting } = queue;
    const group = waiting.splice(0, GROUP);
    try {
      await execute(group, queue.caution);
    } catch (error) {
      // The database is down: the whole queue fails now, instead of each group after its own wait.
      if (error instanceof StoreUnavailable) group.push(...waiting.splice(0));
      for (const { reject } of group) reject(error);
    }
    next(queue);
  };

  const execute = async (group: AccountPiece[], caution: Caution): Promise<void> => {
    const [first, ...more] = group;
    if (first && more.length === 0) return first.resolve(await runOne(first.work));
    try {
      for (const answered of await runGroup(group, caution.take())) answer(answered);
    } catch (error) {
      if (!(error instanceof NeedsSavepoint)) throw error;
      caution.raise();
      await execute(group, caution);
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
      const begun = { account, waiting: [piece], skips: 0, caution: new Caution(CAUTION) };
      queues.set(account, begun);
      next(begun);
    });
}
