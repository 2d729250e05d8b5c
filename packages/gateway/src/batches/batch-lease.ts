import type { Batch, BatchRef } from "@manifold-gateway/store";
import { logFailure } from "../http/fault.ts";
import type { BatchDeps } from "./deps.ts";

/** A worker's lease on a batch: it is renewed while the work runs, and lost if another worker claims the batch. */
export class BatchLease {
  readonly ref: BatchRef;
  /** The batch as it was last read. */
  batch: Batch;
  readonly #deps: BatchDeps;
  readonly #lost = new AbortController();
  /** The end of the lease: until then no other worker can claim the batch. */
  #until: number;
  #isStopped = false;
  #renewing: Promise<void> | undefined;
  /** Called when the batch may have changed, and when the work is to stop. */
  readonly #onChange: () => void;

  constructor(deps: BatchDeps, batch: Batch, until: number, onChange: () => void) {
    this.#deps = deps;
    this.batch = batch;
    this.#until = until;
    this.#onChange = onChange;
    this.ref = { id: batch.id, owner: deps.owner, attempt: batch.attempt };
  }

  /** Aborts when the lease is lost. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** True once the work is to stop, or the lease is lost. */
  get isOver(): boolean {
    return this.#isStopped || this.#lost.signal.aborted;
  }

  /** True after the end of the lease: any worker can claim the batch, even this process. */
  isOverdue(now: number): boolean {
    return this.#until <= now;
  }

  /** Lets the work stop. */
  stop(): void {
    this.#isStopped = true;
    this.#onChange();
  }

  /** Drops the lease, as a crash would. */
  drop(): void {
    this.#lost.abort();
    this.stop();
  }

  /** Renews the lease, and reads whether the batch was cancelled. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(): Promise<void> {
    const { store, clock, limits, log } = this.#deps;
    try {
      const until = clock.now() + limits.lease;
      const batch = await store.batches.renew(this.ref, until);
      if (batch) {
        this.batch = batch;
        this.#until = until;
      } else this.#lost.abort();
      this.#onChange();
    } catch (error) {
      logFailure(log, error, { batch: this.ref.id }, "lease of a batch not renewed");
    }
  }

  /** Renews the lease three times in its duration, until the returned function is called. */
  keep(): () => void {
    const { clock, limits } = this.#deps;
    let forget = () => {};
    let isOver = false;
    const next = (): void => {
      if (!isOver) forget = clock.after(limits.lease / 3, () => void this.renew().then(next));
    };
    next();
    return () => {
      isOver = true;
      forget();
    };
  }

  /** Gives the lease back; any worker may claim the batch after `pause` milliseconds, or at once after a stop. */
  async release(pause: number): Promise<void> {
    const { store, clock, log } = this.#deps;
    try {
      await store.batches.release(this.ref, clock.now() + (this.#isStopped ? 0 : pause));
    } catch (error) {
      logFailure(log, error, { batch: this.ref.id }, "lease of a batch not given back");
    }
  }
}
