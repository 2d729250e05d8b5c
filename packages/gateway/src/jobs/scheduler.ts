import type { ImagePreview } from "@manifold-gateway/core/operations";
import type { Job, JobKind } from "@manifold-gateway/store";
import { faultName, logFailure } from "../fault.ts";
import { watchJob } from "../observe/job.ts";
import { type JobDeps, type LeasedJob, refOf } from "./deps.ts";
import { EXPIRED, fail } from "./end.ts";
import { createSeats } from "./seats.ts";
import { step } from "./step.ts";

type Preview = (preview: ImagePreview) => void;

/** Takes up what is due, as much as there is room for, and sleeps until more is. */
export interface Scheduler {
  start(): void;
  /** Looks for due work at once; resolves when all that was due has been taken a step further. */
  wake(): Promise<void>;
  /** A place for a job that begins now, if there is one: it is adopted, or the place is given back. */
  seat(kind: JobKind): (() => void) | undefined;
  /** Goes on with a job that was leased to this worker when it was made. */
  adopt(job: Job, leave: () => void): void;
  /** Shows what is half done of a job, where this process is the one that does it. */
  watch(job: Pick<Job, "id" | "deadline">, preview: Preview): void;
  /** Takes up nothing more; resolves when what is in hand has come to the end of its step. */
  drain(): Promise<void>;
  /** Drops what is in hand, as a crash would, and resolves when it has noticed. */
  close(): Promise<void>;
}

const KINDS: readonly JobKind[] = ["image", "video", "speech", "asset"];

/** The shortest sleep: jobs that are due and cannot be had are not looked for over and over. */
const NAP = 50;
/** The pause for a database that does not answer. */
const PAUSE = 1_000;

export function createScheduler(tools: JobDeps): Scheduler {
  const { store, clock, limits, log, owner } = tools;
  const inHand = new Map<string, AbortController>();
  const seats = createSeats(limits);
  /** The watchers of jobs, each until the provider has the job or it has ended, however many tries that takes. */
  const previews = new Map<string, Preview>();
  let works = false;
  let unset = () => {};
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  const idle: (() => void)[] = [];

  const look = (): Promise<void> => {
    lookAgain = true;
    looking ??= (async () => {
      while (lookAgain && works) {
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
      while (await claimSome());
      const kinds = KINDS.filter((kind) => seats.room(kind) > 0);
      // The first step to end looks again.
      if (kinds.length === 0) return;
      const due = await store.jobs.nextDue(kinds);
      wait = due === undefined ? limits.rest : Math.min(Math.max(due - clock.now(), NAP), limits.rest);
    } catch (error) {
      logFailure(log, error, {}, "job scan failed");
    }
    if (works) unset = clock.after(wait, () => void look());
  }

  /** Takes up as many jobs as would find room if all were of one kind. True where there may be more. */
  async function claimSome(): Promise<boolean> {
    const kinds = KINDS.filter((kind) => seats.room(kind) > 0);
    if (kinds.length === 0) return false;
    const most = Math.min(...kinds.map(seats.room));
    const release = seats.take(kinds, most);
    try {
      const now = clock.now();
      const jobs = await store.jobs.claim(owner, { now, until: now + limits.lease, most, kinds });
      for (const job of jobs) void run(job, seats.take([job.kind]));
      return jobs.length === most;
    } finally {
      release();
    }
  }

  async function run(job: Job, leave: () => void): Promise<void> {
    // Its lease ran out in our own hands, and it came to us again.
    if (inHand.has(job.id)) return leave();
    const controller = new AbortController();
    inHand.set(job.id, controller);
    const changed = (id: string): void => {
      previews.delete(id);
      tools.changed(id);
    };
    const watch = watchJob(tools.observer, job);
    let isHeard = false;
    const heard: LeasedJob["onSubmitted"] = (...said) => {
      isHeard = true;
      tools.onSubmitted?.(...said);
    };
    const held: LeasedJob = { ...tools, changed, onSubmitted: heard, job, signal: controller.signal, watch };
    let fault: string | undefined;
    const stopRenewing = renew(held, controller);
    try {
      await step(held, previews.get(job.id));
    } catch (error) {
      fault = faultName(error);
      if (!controller.signal.aborted) await giveUp(held, error);
    } finally {
      stopRenewing();
      if (job.phase === "unsent" && !isHeard) tools.onNotDispatched?.(job);
      watch?.ended?.(fault);
      if (controller.signal.aborted) previews.delete(job.id);
      inHand.delete(job.id);
      leave();
      if (inHand.size === 0) for (const resolve of idle.splice(0)) resolve();
      void look();
    }
  }

  /** A step that failed for an unforeseen reason: the job is due again when its lease has run out. */
  async function giveUp(held: LeasedJob, error: unknown): Promise<void> {
    logFailure(log, error, { job: held.job.id, kind: held.job.kind }, "job step failed");
    if (clock.now() < held.job.deadline) return;
    try {
      // The step may have come further than the job was when it was taken up.
      const { phase } = (await store.jobs.get(held.job)) ?? held.job;
      await fail(held, EXPIRED, { orphan: phase !== "unsent" });
    } catch (error) {
      logFailure(log, error, { job: held.job.id }, "expired job could not be ended");
    }
  }

  /** Says that this worker lives, while a step takes its time. */
  function renew(held: LeasedJob, controller: AbortController): () => void {
    let stopped = false;
    let cancel = () => {};
    const next = () => {
      cancel = clock.after(limits.lease / 3, async () => {
        try {
          const has = await store.jobs.renew(refOf(held), clock.now() + limits.lease);
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
    inHand.size === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve));

  const drain = async (): Promise<void> => {
    works = false;
    unset();
    // A job that was just being claimed is in hand now.
    await looking;
    unset();
    await ended();
  };

  return {
    start() {
      works = true;
      void look();
    },
    async wake() {
      do {
        await look();
        await ended();
        await looking;
      } while (inHand.size > 0);
    },
    seat: (kind) => (works && seats.room(kind) > 0 ? seats.take([kind]) : undefined),
    adopt(job, leave) {
      void run(job, leave);
    },
    watch({ id, deadline }, preview) {
      previews.set(id, preview);
      // Another process may have done it.
      clock.after(Math.max(0, deadline - clock.now()), () => void previews.delete(id));
    },
    drain,
    async close() {
      works = false;
      for (const controller of inHand.values()) controller.abort();
      await drain();
    },
  };
}
