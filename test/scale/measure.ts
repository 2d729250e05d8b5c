import type { Account } from "./database.ts";
import { createHistogram, type Histogram } from "./histogram.ts";
import type { Holder } from "./holder.ts";

/** What is seen of a run. */
export interface Measure {
  started(waitedMs: number): void;
  ended(waitedMs: number, cost: number): void;
  refused(account: Account, hold: number): void;
  /** Looks at what is idle, and whether anything is where it must not be. */
  sample(accounts: Iterable<Account>): void;
  /** Times and idle credit are of what comes after this; what must never be is counted from the beginning. */
  warmed(): void;
  readonly totals: Totals;
}

export interface Totals {
  starts: Histogram;
  ends: Histogram;
  ended: number;
  charged: number;
  refused: number;
  /** Refused while leases of processes that live had enough free. */
  refusedWrongly: number;
  /** Refused while only with the leases of processes that died there was enough. */
  refusedForDead: number;
  /** Refused while enough had come back with ends, and was on its way to the account. */
  refusedEarly: number;
  /** The most that any account was over its balance, holds counted as spent. */
  over: number;
  /** Leases whose row said anything but what their process had. */
  inexact: number;
  idle: { sum: number; most: number; samples: number };
}

/** Where the credit of an account is that no request has been promised. */
export function leftOf(account: Account, holders: Iterable<Holder>) {
  const left = { living: account.balance - account.held, dead: 0, returning: 0 };
  for (const { free = 0, isDead, isOver } of holders)
    left[isDead ? "dead" : isOver ? "returning" : "living"] += free;
  return left;
}

export function createMeasure(holdersOf: (account: Account) => Iterable<Holder>): Measure {
  const fresh = () => ({
    ...{ starts: createHistogram(), ends: createHistogram() },
    idle: { sum: 0, most: 0, samples: 0 },
  });
  const totals: Totals = {
    ...{
      ended: 0,
      charged: 0,
      refused: 0,
      refusedWrongly: 0,
      refusedForDead: 0,
      refusedEarly: 0,
      over: 0,
      inexact: 0,
    },
    ...fresh(),
  };
  return {
    totals,
    warmed: () => Object.assign(totals, fresh()),
    started: (ms) => totals.starts.add(ms),
    ended(ms, cost) {
      totals.ends.add(ms);
      totals.ended++;
      totals.charged += cost;
    },
    refused(account, hold) {
      totals.refused++;
      const { living, dead, returning } = leftOf(account, holdersOf(account));
      if (living >= hold) totals.refusedWrongly++;
      else if (living + dead >= hold) totals.refusedForDead++;
      else if (living + dead + returning >= hold) totals.refusedEarly++;
    },
    sample(accounts) {
      let idle = 0;
      for (const account of accounts) {
        totals.over = Math.max(totals.over, account.held - account.balance);
        for (const holder of holdersOf(account)) {
          if (holder.isDead) continue;
          idle += holder.free ?? 0;
          if (!holder.isExact()) totals.inexact++;
        }
      }
      totals.idle.sum += idle;
      totals.idle.most = Math.max(totals.idle.most, idle);
      totals.idle.samples++;
    },
  };
}
