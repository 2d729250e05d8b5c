import { StoreUnavailable } from "../unavailable.ts";
import { type Answered, Caution, NeedsSavepoint, type Piece } from "./commit-group.ts";
import type { Batch, Undo, Work } from "./engine.ts";

/** The way in which a database runs the work of one queue. */
export interface Transactions {
  /** One piece in a transaction of its own. */
  alone<T>(work: () => Work<T | Undo<T>>): Promise<T>;
  /** A group in one transaction, resolved when it is committed. May reject with `NeedsSavepoint`. */
  together(group: readonly Piece[], withSavepoints: boolean): Promise<Answered<Piece>[]>;
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

interface Queue {
  waiting: Piece[];
  caution: Caution;
}

/**
 * Work on one account waits for that account's row, however many connections there are. So the work of an account is
 * carried by one connection at a time, in one transaction for all that has gathered: the row is locked once, and
 * many pieces share a commit.
 */
export function createAccountQueues({ alone, together }: Transactions): AccountQueues {
  const queues = new Map<string, Queue>();

  const run = async (account: string, { waiting, caution }: Queue): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting.splice(0, GROUP);
      try {
        await carry(group, caution);
      } catch (error) {
        // The database is down: the whole queue fails now, instead of each group after its own wait.
        if (error instanceof StoreUnavailable) group.push(...waiting.splice(0));
        for (const { reject } of group) reject(error);
      }
    }
    queues.delete(account);
  };

  const carry = async (group: Piece[], caution: Caution): Promise<void> => {
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
      const piece = { work, batch, resolve: resolve as (value: unknown) => void, reject };
      const queue = queues.get(account);
      if (queue) {
        queue.waiting.push(piece);
        return;
      }
      const begun = { waiting: [piece], caution: new Caution(CAUTION) };
      queues.set(account, begun);
      void run(account, begun);
    });
}
