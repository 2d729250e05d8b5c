import { StoreUnavailable } from "../unavailable.ts";
import type { Caution, Piece } from "./commit-group.ts";

/** Work that waits for its account's row. */
export interface AccountPiece extends Piece {
  account: string;
}

/** The work of one account, in the order in which it came. */
export interface Queue {
  readonly account: string;
  waiting: AccountPiece[];
  /** How often others had the account's row when it was to be carried with other accounts. */
  passedOver: number;
  caution: Caution;
}

/** The outcome of a transaction over several accounts. */
export type Carried =
  /** It is committed; `locked` are accounts whose rows others had, which were passed over. */
  | { answers: { answer(): void }[]; locked: ReadonlySet<string> }
  /** It is undone: these cannot be carried with others; all of them where none is named. */
  | { refused: readonly AccountPiece[] };

export type Across = (group: readonly AccountPiece[]) => Promise<Carried>;

/** Transactions at one time. While they are under way further work gathers, to share the next one. */
const LANES = 2;
/** The accounts that have to wait for another transaction to begin beside one that is under way. */
const CROWD = 8;
/** The most that one commit carries, and the most of one account. */
const GROUP = 64;
const OWN = 32;
/** The time for which an account that was refused, or all after a failure, are carried by themselves. */
const APART_MS = 1_000;
/** How often an account is passed over before it waits for its row by itself. */
const PASSED_OVER = 3;

/**
 * Carries work of many accounts in few commits. It waits for no account: one whose row others have, which is refused
 * or fails is carried by itself, so that it stops none of the others. `next` is called with each queue again.
 */
export function createLanes(across: Across, next: (queue: Queue) => void) {
  const ready: Queue[] = [];
  /** The times until which accounts are apart, in the order of the times. */
  const apart = new Map<string, number>();
  let allApartUntil = 0;
  let running = 0;
  let isScheduled = false;

  const isApart = (account: string): boolean => {
    const at = performance.now();
    if (at < allApartUntil) return true;
    for (const [one, until] of apart) {
      if (until > at) break;
      apart.delete(one);
    }
    return apart.has(account);
  };

  const setApart = (account: string): void => {
    apart.delete(account);
    apart.set(account, performance.now() + APART_MS);
  };

  /** The pieces of one account, from the first on, that can be carried with others. */
  const takeOf = ({ waiting }: Queue, room: number): AccountPiece[] => {
    const most = Math.min(room, OWN, waiting.length);
    let count = 0;
    while (count < most && waiting[count]?.batch?.isAcross) count += 1;
    return waiting.splice(0, count);
  };

  const run = async (): Promise<void> => {
    const taken = new Map<Queue, AccountPiece[]>();
    const group: AccountPiece[] = [];
    while (ready.length > 0 && group.length < GROUP) {
      const queue = ready.shift()!;
      const own = takeOf(queue, GROUP - group.length);
      taken.set(queue, own);
      group.push(...own);
    }
    const putBack = (queue: Queue): unknown => queue.waiting.unshift(...taken.get(queue)!);
    try {
      const carried = await across(group);
      if ("refused" in carried) {
        const { refused } = carried;
        for (const { account } of refused.length > 0 ? refused : group) setApart(account);
        for (const queue of taken.keys()) putBack(queue);
      } else {
        for (const { answer } of carried.answers) answer();
        for (const queue of taken.keys()) {
          const isLocked = carried.locked.has(queue.account);
          if (isLocked) putBack(queue);
          queue.passedOver = isLocked ? queue.passedOver + 1 : 0;
        }
      }
    } catch (error) {
      // Each by itself finds out what is the matter, and is given its own error.
      if (error instanceof StoreUnavailable) allApartUntil = performance.now() + APART_MS;
      for (const queue of taken.keys()) {
        setApart(queue.account);
        putBack(queue);
      }
      if (performance.now() < allApartUntil) for (const queue of ready.splice(0)) next(queue);
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
    /** Takes an account whose first piece can be carried with others'; false where it has to be carried by itself. */
    offer(queue: Queue): boolean {
      if (!queue.waiting[0]?.batch?.isAcross) return false;
      if (queue.passedOver >= PASSED_OVER || isApart(queue.account)) {
        queue.passedOver = 0;
        return false;
      }
      ready.push(queue);
      // What else arrives in this turn of the event loop goes with it.
      if (!isScheduled && running < LANES) {
        isScheduled = true;
        setImmediate(start);
      }
      return true;
    },
  };
}
