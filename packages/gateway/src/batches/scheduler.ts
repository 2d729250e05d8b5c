import { logFailure } from "../http/fault.ts";
import type { BatchDeps } from "./deps.ts";
import { BatchWork } from "./work.ts";

/** Claims due batches as far as this process has places for them, then sleeps until the next is due. */
export interface BatchScheduler {
  start(): void;
  /** Looks for due batches at once, and whether those in work were cancelled. Resolves when none is in work. */
  wake(): Promise<void>;
  /** Begins no further lines. Resolves when the running ones have ended, and the leases are given back. */
  drain(): Promise<void>;
  /** Drops the work, as a crash would. */
  close(): void;
}

/** The shortest sleep: without it, due batches that other processes have would cause a busy loop. */
const NAP = 50;
/** The pause after a database error. */
const PAUSE = 1_000;

export function createBatchScheduler(deps: BatchDeps): BatchScheduler {
  const { store, clock, limits, log, owner } = deps;
  const works = new Map<BatchWork, Promise<void>>();
  let isOn = false;
  let unset = () => {};
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  const idle: (() => void)[] = [];

  const look = (): Promise<void> => {
    lookAgain = true;
    looking ??= (async () => {
      while (lookAgain && isOn) {
        lookAgain = false;
        await takeDue();
      }
    })().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  async function takeDue(): Promise<void> {
    unset();
    let wait = PAUSE;
    try {
      const free = limits.batches - works.size;
      if (free > 0) {
        // A process that stood still finds its own leases run out: it prolongs them, and does not claim them again.
        for (const work of works.keys()) if (work.isOverdue(clock.now())) await work.renew();
        const now = clock.now();
        const until = now + limits.lease;
        for (const batch of await store.batches.claim(owner, { now, until, most: free }))
          begin(new BatchWork(deps, batch, until, share));
      }
      const due = await store.batches.nextDue();
      const isFull = works.size === limits.batches;
      wait =
        due === undefined || isFull ? limits.rest : Math.min(Math.max(due - clock.now(), NAP), limits.rest);
    } catch (error) {
      logFailure(log, error, {}, "batch scan failed");
    }
    if (isOn) unset = clock.after(wait, () => void look());
  }

  /** The lines that one batch may run at the same time: all batches in work share those of the process. */
  const share = (): number => Math.max(1, Math.floor(limits.lines / works.size));

  function begin(work: BatchWork): void {
    const forget = clock.after(limits.turn, () => void endTurn(work));
    const done = work.run().finally(() => {
      forget();
      works.delete(work);
      if (works.size === 0) for (const resolve of idle.splice(0)) resolve();
      void look();
    });
    works.set(work, done);
  }

  /** Lets a batch go that has had its turn, if others wait for its place. Else it gets another one. */
  async function endTurn(work: BatchWork): Promise<void> {
    if (!works.has(work)) return;
    const due = await store.batches.nextDue().catch(() => undefined);
    if (works.size === limits.batches && due !== undefined && due <= clock.now()) work.stop();
    else clock.after(limits.turn, () => void endTurn(work));
  }

  const ended = (): Promise<void> =>
    works.size === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve));

  return {
    start() {
      isOn = true;
      void look();
    },
    async wake() {
      if (!isOn) return;
      do {
        for (const work of works.keys()) void work.renew();
        await look();
        await ended();
        await looking;
      } while (works.size > 0);
    },
    async drain() {
      isOn = false;
      unset();
      await looking;
      unset();
      for (const work of works.keys()) work.stop();
      await ended();
    },
    close() {
      isOn = false;
      unset();
      for (const work of works.keys()) work.drop();
    },
  };
}
