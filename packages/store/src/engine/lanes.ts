import { type Answered, answer, type Caution, type Piece } from "./commit-group.ts";
import { StoreUnavailable } from "./unavailable.ts";

/** Work on one account. */
export interface AccountPiece extends Piece {
  account: string;
}

/** The waiting work of one account, in the order of arrival. */
export interface Queue {
  readonly account: string;
  waiting: AccountPiece[];
  /** How often the account was skipped in a shared transaction because its row was locked. */
  skips: number;
  caution: Caution;
}

/** The outcome of a transaction over several accounts. */
export type AcrossResult =
  /** It is committed; `locked` are the accounts that were skipped because their rows were locked. */
  | { answers: Answered<Piece>[]; locked: ReadonlySet<string> }
  /** It is undone: these pieces cannot share a transaction; if none is named, all of the group. */
  | { refused: readonly AccountPiece[] };

export type RunAcross = (group: readonly AccountPiece[]) => Promise<AcrossResult>;

/** The shared transactions at one time. While they run, further work gathers for the next one. */
const LANES = 2;
/** The number of waiting accounts that starts a second transaction while one is running. */
const CROWD = 8;
/** The most pieces in one commit, and the most of one account. */
const GROUP = 64;
const ACCOUNT_SHARE = 32;
/** The time for which an account that was refused, or every account after a failure, runs alone. */
const SEPARATE_MS = 1_000;
/** How often an account is skipped before it waits for its row alone. */
const MOST_SKIPS = 3;

/**
 * Runs work of many accounts in few commits. It never waits for a single account: an account that is locked too often,
 * refused or failing runs alone, so that it does not stop the others. `next` is called with each queue afterwards.
 */
export function createLanes(runAcross: RunAcross, next: (queue: Queue) => void) {
  const ready: Queue[] = [];
  /** The times until which accounts run alone, in ascending order. */
  const separateUntil = new Map<string, number>();
  let allSeparateUntil = 0;
  let running = 0;
  let isScheduled = false;

  const isSeparate = (account: string): boolean => {
    const at = performance.now();
    if (at < allSeparateUntil) return true;
    for (const [one, until] of separateUntil) {
      if (until > at) break;
      separateUntil.delete(one);
    }
    return separateUntil.has(account);
  };

  const separate = (account: string): void => {
    separateUntil.delete(account);
    separateUntil.set(account, performance.now() + SEPARATE_MS);
  };

  /** Takes an account's leading pieces that can share a transaction. */
  const takeOf = ({ waiting }: Queue, room: number): AccountPiece[] => {
    const most = Math.min(room, ACCOUNT_SHARE, waiting.length);
    let count = 0;
    while (count < most && waiting[count]?.batch?.isAcross) count += 1;
    return waiting.splice(0, count);
  };

  const run = async (): Promise<void> => {
    const taken = new Map<Queue, AccountPiece[]>();
    const group: AccountPiece[] = [];
    while (ready.length > 0 && group.length < GROUP) {
      const queue = ready.shift()!;
      const pieces = takeOf(queue, GROUP - group.length);
      taken.set(queue, pieces);
      group.push(...pieces);
    }
    const putBack = (queue: Queue): unknown => queue.waiting.unshift(...taken.get(queue)!);
    try {
      const result = await runAcross(group);
      if ("refused" in result) {
        const { refused } = result;
        for (const { account } of refused.length > 0 ? refused : group) separate(account);
        for (const queue of taken.keys()) putBack(queue);
      } else {
        for (const answered of result.answers) answer(answered);
        for (const queue of taken.keys()) {
          const isLocked = result.locked.has(queue.account);
          if (isLocked) putBack(queue);
          queue.skips = isLocked ? queue.skips + 1 : 0;
        }
      }
    } catch (error) {
      // Each account then runs alone, so that each gets its own error.
      if (error instanceof StoreUnavailable) allSeparateUntil = performance.now() + SEPARATE_MS;
      for (const queue of taken.keys()) {
        separate(queue.account);
        putBack(queue);
      }
      if (performance.now() < allSeparateUntil) for (const queue of ready.splice(0)) next(queue);
    }
    running -= 1;
    for (const queue of taken.keys()) next(queue);
    start();
  };

  const start = (): void => {
    isScheduled = false;
    while (running < LANES && ready.length >= (running === 0 ? 1 : CROWD)) {
      running += 1;
      void run();
    }
  };

  return {
    /** Accepts an account whose first piece can share a transaction; false if it must run alone. */
    offer(queue: Queue): boolean {
      if (!queue.waiting[0]?.batch?.isAcross) return false;
      if (queue.skips >= MOST_SKIPS || isSeparate(queue.account)) {
        queue.skips = 0;
        return false;
      }
      ready.push(queue);
      // Other work that arrives in this turn of the event loop joins it.
      if (!isScheduled && running < LANES) {
        isScheduled = true;
        setImmediate(start);
      }
      return true;
    },
  };
}
