import { createScan } from "../jobs/scan.ts";
import type { BatchDeps } from "./deps.ts";
import { BatchWork } from "./work.ts";

/** Claims due batches while this process has free slots, then sleeps until the next one is due. */
export interface BatchScheduler {
  start(): void;
  /** Checks at once for due batches, and whether running ones were cancelled. */
  wake(): void;
  /** Begins no further lines. Resolves when the running lines have ended and the leases are released. */
  drain(): Promise<void>;
  /** Drops the work, as a crash would. */
  close(): void;
}

export function createBatchScheduler(deps: BatchDeps): BatchScheduler {
  const { store, clock, limits, owner } = deps;
  const works = new Map<BatchWork, Promise<void>>();

  const scan = createScan(deps, "batch scan failed", async () => {
    const free = limits.batches - works.size;
    if (free > 0) {
      // After this process was suspended, its own leases may have expired: it renews them instead of claiming the
      // batches again.
      for (const work of works.keys()) if (work.lease.isOverdue(clock.now())) await work.lease.renew();
      const now = clock.now();
      const until = now + limits.lease;
      for (const batch of await store.batches.claim(owner, { now, until, most: free }))
        begin(new BatchWork(deps, batch, until, share));
    }
    const isFull = works.size === limits.batches;
    return isFull ? undefined : store.batches.nextDue();
  });

  /** The most lines that one batch may run at the same time: its share of the process's limit. */
  const share = (): number => Math.max(1, Math.floor(limits.lines / works.size));

  function begin(work: BatchWork): void {
    const forget = takeTurns(work);
    const done = work.run().finally(() => {
      forget();
      works.delete(work);
      void scan.look();
    });
    works.set(work, done);
  }

  /** Releases a batch after its turn if others wait for a slot. The returned function cancels that. */
  function takeTurns(work: BatchWork): () => void {
    let isOver = false;
    let unset = () => {};
    const endTurn = async (): Promise<void> => {
      const due = await store.batches.nextDue().catch(() => undefined);
      if (works.size === limits.batches && due !== undefined && due <= clock.now()) work.lease.stop();
      else if (!isOver) next();
    };
    const next = (): void => {
      unset = clock.after(limits.turn, () => void endTurn());
    };
    next();
    return () => {
      isOver = true;
      unset();
    };
  }

  return {
    start: scan.start,
    wake() {
      if (!scan.isOn) return;
      for (const work of works.keys()) void work.lease.renew();
      void scan.look();
    },
    async drain() {
      await scan.stop();
      for (const work of works.keys()) work.lease.stop();
      await Promise.all(works.values());
    },
    close() {
      void scan.stop();
      for (const work of works.keys()) work.lease.drop();
    },
  };
}
