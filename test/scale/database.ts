import type { Clock } from "./clock.ts";

/** What the database keeps of one lease. */
export interface LeaseRow {
  /** Everything that counts as held on the account: free, promised to running requests, spent. */
  amount: number;
  /** The part of it that was spent and is still to be taken off the balance. */
  spent: number;
  /** The recall that its process had seen when it last changed the account. */
  seen: number;
}

/** An account's row; a cap's row would be changed with it and by the same amounts. */
export interface Account {
  id: number;
  balance: number;
  held: number;
  recalls: number;
  /** By process. */
  leases: Map<number, LeaseRow>;
  isLocked: boolean;
  /** Transactions that wait for the row. */
  queue: (() => void)[];
  /** For how long the row was locked. */
  lockedMs: number;
}

export const createAccount = (id: number, balance: number): Account => ({
  ...{ id, balance, held: 0, recalls: 0, leases: new Map(), isLocked: false, queue: [], lockedMs: 0 },
});

export interface Delays {
  /** How many transactions the server can do in a second; more than that wait for their turn. */
  capacity: number;
  /** How long statements take, their way there and back with them. */
  statementMs: number;
  /** How long a commit takes to be durable: a disk, or a replica that has to have it too. */
  commitMs: number;
}

export interface Database {
  /**
   * A transaction on an account's row, one at a time: `work` runs once the row is locked, and says whether there is
   * something to commit; `done` runs when it is durable.
   */
  onAccount(account: Account, work: () => boolean, done: () => void): void;
  /** A transaction on rows that nobody else changes. */
  onOwnRows(work: () => void, done: () => void): void;
  commits(): number;
  accountCommits(): number;
}

/** Row locks and the time that things take. Commits of different rows share their flushes, so they do not add up. */
export function createDatabase(clock: Clock, { capacity, statementMs, commitMs }: Delays): Database {
  let own = 0;
  let shared = 0;
  let freeAt = 0;

  const inTurn = (run: () => void): void => {
    freeAt = Math.max(freeAt, clock.now()) + 1_000 / capacity;
    clock.after(freeAt - clock.now(), run);
  };

  const run = (account: Account, work: () => boolean, done: () => void): void => {
    const isChanged = work();
    if (isChanged) shared++;
    const took = statementMs + (isChanged ? commitMs : 0);
    account.lockedMs += took;
    clock.after(took, () => {
      const next = account.queue.shift();
      if (next) next();
      else account.isLocked = false;
      done();
    });
  };

  return {
    onAccount(account, work, done) {
      inTurn(() => {
        if (account.isLocked) account.queue.push(() => run(account, work, done));
        else {
          account.isLocked = true;
          run(account, work, done);
        }
      });
    },
    onOwnRows(work, done) {
      inTurn(() => {
        own++;
        clock.after(statementMs + commitMs, () => {
          work();
          done();
        });
      });
    },
    commits: () => own + shared,
    accountCommits: () => shared,
  };
}
