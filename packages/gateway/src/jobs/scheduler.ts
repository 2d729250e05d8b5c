import type { ImagePreview } from "@manifold-gateway/core/operations";
import type { Job, JobKind } from "@manifold-gateway/store";
import { faultName, logFailure } from "../http/fault.ts";
import { watchJob } from "../observe/job.ts";
import type { JobDeps } from "./deps.ts";
import { EXPIRED, fail } from "./end.ts";
import { JobSlots } from "./job-slots.ts";
import { type Lease, LeasedJob } from "./leased-job.ts";
import { createScan } from "./scan.ts";
import { step } from "./step.ts";

type Preview = (preview: ImagePreview) => void;

/** Takes a step with each job that is due, as far as slots are free, then sleeps until the next is due. */
export interface Scheduler {
  start(): void;
  /** Looks for due jobs at once. Resolves when all of them have taken a step. */
  wake(): Promise<void>;
  /** Takes a slot for a new job, if one is free. It is passed to `adopt`, or given back by calling it. */
  reserve(kind: JobKind): (() => void) | undefined;
  /** Works on a job that was created with a lease of this worker. */
  adopt(job: Job, leave: () => void): void;
  /** Passes partial results of a job to `preview`, if this process works on the job. */
  watch(job: Pick<Job, "id" | "deadline">, preview: Preview): void;
  /** Starts no further steps. Resolves when the running ones have ended. */
  drain(): Promise<void>;
  /** Drops the running steps, as a crash would. Resolves when they have stopped. */
  close(): Promise<void>;
}

const KINDS: readonly JobKind[] = ["image", "video", "speech", "asset"];

export function createScheduler(base: JobDeps): Scheduler {
  const { store, clock, limits, log, owner, health } = base;
  const stepping = new Map<string, AbortController>();
  const slots = new JobSlots(limits);
  /**
   * The preview functions of jobs. Each is kept, over any number of tries, until the provider has the job or it ends.
   */
  const previews = new Map<string, Preview>();
  const deps: JobDeps = {
    ...base,
    changed(id) {
      previews.delete(id);
      base.changed(id);
    },
  };
  const idle: (() => void)[] = [];

  const scan = createScan(base, "job scan failed", async () => {
    while (await claimSome());
    const kinds = KINDS.filter((kind) => slots.room(kind) > 0);
    // Without a slot, the next step to end will look again.
    return kinds.length === 0 ? undefined : store.jobs.nextDue(kinds);
  });

  /** Claims as many jobs as fit even if all are of one kind. True if there may be more. */
  async function claimSome(): Promise<boolean> {
    const kinds = KINDS.filter((kind) => slots.room(kind) > 0);
    if (kinds.length === 0) return false;
    const most = Math.min(...kinds.map((kind) => slots.room(kind)));
    const release = slots.take(kinds, most);
    let jobs: Job[];
    try {
      const now = clock.now();
      jobs = await store.jobs.claim(owner, { now, until: now + limits.lease, most, kinds });
    } finally {
      release?.();
    }
    for (const job of jobs) {
      const leave = slots.take([job.kind]);
      if (!leave) throw new Error("more jobs were claimed than there are slots");
      void run(job, leave);
    }
    return jobs.length === most;
  }

  async function run(job: Job, leave: () => void): Promise<void> {
    // The lease ran out during a step of this process, which then claimed the job again.
    if (stepping.has(job.id)) return leave();
    const controller = new AbortController();
    stepping.set(job.id, controller);
    const watch = watchJob(deps.observer, job);
    const lease: Lease = { signal: controller.signal, watch };
    const held = new LeasedJob(deps, job, lease);
    let fault: string | undefined;
    const stopRenewing = renew(held, controller);
    try {
      await step(held, previews.get(job.id));
    } catch (error) {
      fault = faultName(error);
      if (!controller.signal.aborted) await giveUp(held, error);
    } finally {
      stopRenewing();
      if (job.phase === "unsent" && !lease.wasSubmitted) health.onNotDispatched?.(job);
      watch?.ended?.(fault);
      if (controller.signal.aborted) previews.delete(job.id);
      stepping.delete(job.id);
      leave();
      if (stepping.size === 0) for (const resolve of idle.splice(0)) resolve();
      void scan.look();
    }
  }

  /** Handles an unforeseen error of a step. The job becomes due again when its lease runs out. */
  async function giveUp(held: LeasedJob, error: unknown): Promise<void> {
    logFailure(log, error, { job: held.job.id, kind: held.job.kind }, "job step failed");
    if (clock.now() < held.job.deadline) return;
    try {
      // The step may have advanced the job's phase before it failed.
      const { phase } = (await store.jobs.get(held.job)) ?? held.job;
      await fail(held, EXPIRED, { orphan: phase !== "unsent" });
    } catch (error) {
      logFailure(log, error, { job: held.job.id }, "expired job could not be ended");
    }
  }

  /** Renews the lease while a step runs. */
  function renew(held: LeasedJob, controller: AbortController): () => void {
    let stopped = false;
    let cancel = () => {};
    const next = () => {
      cancel = clock.after(limits.lease / 3, async () => {
        try {
          const has = await store.jobs.renew(held.ref, clock.now() + limits.lease);
          if (!has && !stopped) controller.abort();
        } catch (error) {
          logFailure(log, error, { job: held.job.id }, "job lease not renewed");
        }
        if (!stopped) next();
      });
    };
    next();
    return () => {
      stopped = true;
      cancel();
    };
  }

  const ended = (): Promise<void> =>
    stepping.size === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve));

  return {
    start: scan.start,
    async wake() {
      do {
        await scan.look();
        await ended();
        await scan.settled();
      } while (stepping.size > 0);
    },
    reserve: (kind) => (scan.isOn ? slots.take([kind]) : undefined),
    adopt(job, leave) {
      void run(job, leave);
    },
    watch({ id, deadline }, preview) {
      previews.set(id, preview);
      // Removed at the deadline at the latest: if another process does the job, nothing else removes it here.
      clock.after(Math.max(0, deadline - clock.now()), () => void previews.delete(id));
    },
    async drain() {
      await scan.stop();
      await ended();
    },
    async close() {
      const stopped = scan.stop();
      for (const controller of stepping.values()) controller.abort();
      await stopped;
      await ended();
    },
  };
}
