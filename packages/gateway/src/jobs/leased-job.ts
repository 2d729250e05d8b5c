import type { Job, Store } from "@manifold-gateway/store";
import type { JobWatch } from "../ports/observer.ts";
import type { JobDeps, SubmitReply } from "./deps.ts";

/** How long after the job's deadline a call and the storing of outputs may go on, in milliseconds. */
export const GRACE = { call: 60_000, store: 600_000 } as const;

/** A part of a step that took too long. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

type JobRef = Parameters<Store["jobs"]["note"]>[0];
type JobNote = Parameters<Store["jobs"]["note"]>[1];

/** A worker's lease on a job. */
export interface Lease {
  /** Aborts if the lease is lost or the process stops: this worker must not write to the job any more. */
  signal: AbortSignal;
  /** The observer of the step, if there is one. */
  watch?: JobWatch | undefined;
  /** Whether the provider's answer to a submission, or the lack of one, was reported. */
  wasSubmitted?: boolean;
}

/** A job that this worker has a lease on, as far as its step has got. */
export class LeasedJob {
  readonly deps: JobDeps;
  readonly job: Job;
  /** Aborts with the lease, and at the end of the present part of the step. */
  readonly signal: AbortSignal;
  readonly #lease: Lease;

  constructor(deps: JobDeps, job: Job, lease: Lease, signal = lease.signal) {
    this.deps = deps;
    this.job = job;
    this.signal = signal;
    this.#lease = lease;
  }

  get watch(): JobWatch | undefined {
    return this.#lease.watch;
  }

  /** The job and the lease, as conditions of what is written. */
  get ref(): JobRef {
    const { id, attempt, accountId } = this.job;
    return { id, owner: this.deps.owner, attempt, accountId };
  }

  /** The same lease on the job with these changes. */
  with(changes: Partial<Job>): LeasedJob {
    return new LeasedJob(this.deps, { ...this.job, ...changes }, this.#lease, this.signal);
  }

  /** Writes a note to the job. False if the lease is lost. */
  note(note: JobNote): Promise<boolean> {
    return this.deps.store.jobs.note(this.ref, note);
  }

  /** Notifies those who wait for the job that it has changed. */
  changed(): void {
    this.deps.changed(this.job.id);
  }

  /** Reports a provider's answer to the submission, or that there was none, for the health of the entry. */
  submitted(answer: SubmitReply | undefined, ms: number): void {
    this.#lease.wasSubmitted = true;
    this.deps.health.onSubmitted?.(this.job, answer, ms);
  }

  /**
   * Runs a part of a step with a signal that also aborts `grace` milliseconds after the job's deadline: without that, a
   * slow trickle of bytes would never end.
   */
  async within<T>(grace: number, part: (timed: LeasedJob) => Promise<T>): Promise<T> {
    const { clock } = this.deps;
    const late = new AbortController();
    const left = Math.max(0, this.job.deadline - clock.now()) + grace;
    const forget = clock.after(left, () => late.abort(new OutOfTime()));
    try {
      const signal = AbortSignal.any([this.signal, late.signal]);
      return await part(new LeasedJob(this.deps, this.job, this.#lease, signal));
    } finally {
      forget();
    }
  }
}
