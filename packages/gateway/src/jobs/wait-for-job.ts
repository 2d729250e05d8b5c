import type { Job } from "@manifold-gateway/store";
import type { JobDeps } from "./deps.ts";

/** The longest delay, in milliseconds, until a change by another process is seen. */
const POLL_MS = 1_000;

export interface Waits {
  changed(id: string): void;
  /**
   * Resolves to the job once `isSo` is true of it. Rejects with the signal's reason, and with a `RangeError` if the
   * job does not exist. It always settles if `isSo` holds for every ended job, since every job ends.
   */
  until(
    ref: { id: string; accountId: string },
    isSo: (job: Job) => boolean,
    signal?: AbortSignal,
  ): Promise<Job>;
}

/** Lets callers wait for jobs. Changes in this process notify them; changes by others are found by polling. */
export function createWaits({ store, clock }: Pick<JobDeps, "store" | "clock">): Waits {
  const waiting = new Map<string, Set<() => void>>();
  return {
    changed(id) {
      for (const wake of waiting.get(id) ?? []) wake();
    },
    async until(ref, isSo, signal) {
      const listeners = waiting.get(ref.id) ?? new Set();
      waiting.set(ref.id, listeners);
      let news = false;
      let wake = () => {};
      const listen = () => {
        news = true;
        wake();
      };
      listeners.add(listen);
      signal?.addEventListener("abort", listen);
      try {
        for (;;) {
          signal?.throwIfAborted();
          news = false;
          const job = await store.jobs.get(ref);
          if (!job) throw new RangeError(`there is no job "${ref.id}"`);
          if (isSo(job)) return job;
          if (news) continue;
          await new Promise<void>((resolve) => {
            const cancel = clock.after(POLL_MS, resolve);
            wake = () => {
              cancel();
              resolve();
            };
          });
        }
      } finally {
        signal?.removeEventListener("abort", listen);
        listeners.delete(listen);
        if (listeners.size === 0) waiting.delete(ref.id);
      }
    },
  };
}
