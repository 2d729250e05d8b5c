import type { ImageAsk, ImagePreview, SpeechAsk, VideoAsk } from "@manifold-gateway/core/operations";
import type { Begun, ExtraWrites, Job, JobKind, NewJob } from "@manifold-gateway/store";
import { Refusal } from "../http/refusal.ts";
import type { JobDeps } from "./deps.ts";
import type { Scheduler } from "./scheduler.ts";

/**
 * Creates jobs. A job starts in this process if a slot is free. `toExtraWrites` makes the rows that are written in the
 * commit that creates the job.
 */
export function createBegin({ store, clock, limits, owner }: JobDeps, scheduler: Scheduler) {
  return async (
    kind: JobKind,
    rest: Omit<NewJob, "at" | "deadline" | "lease" | "kind">,
    toExtraWrites: (terms: { at: number; deadline: number }) => ExtraWrites,
    preview?: (preview: ImagePreview) => void,
  ): Promise<{ stored: Job; ok: true } | Exclude<Begun, { ok: true }>> => {
    const at = clock.now();
    const deadline = at + limits.deadline[kind];
    const leave = scheduler.reserve(kind);
    const lease = leave && { owner, until: at + limits.lease };
    const job: NewJob = { ...rest, kind, at, deadline, ...(lease && { lease }) };
    let adopted = false;
    try {
      const begun = await store.jobs.create(job, toExtraWrites({ at, deadline }));
      if (!begun.ok) return begun;
      const stored = await store.jobs.get(job);
      if (!stored) throw new Error("a job that was made is not there");
      if (preview) scheduler.watch(job, preview);
      if (leave && stored.attempt === 1 && stored.phase === "unsent") {
        adopted = true;
        scheduler.adopt(stored, leave);
      } else if (!leave) void scheduler.wake();
      return { ok: true, stored };
    } finally {
      if (!adopted) leave?.();
    }
  };
}

/** Seconds until a retry may succeed. */
const SOON = "5";

/** 429 for an account at its limit of running jobs. */
export const tooMany = (noun: string, most: number): Refusal =>
  new Refusal(
    "too_many_jobs",
    `The limit of ${noun} of the account, ${most}, is reached; wait until one has ended.`,
    {
      headers: { "retry-after": SOON },
    },
  );

/** The ids of the assets that a request names. */
export function assetsOf(ask: ImageAsk | VideoAsk | SpeechAsk): string[] {
  const parts = "images" in ask ? ask.images : "parts" in ask ? ask.parts : [];
  return parts.flatMap((part) => ("source" in part && part.source.type === "asset" ? [part.source.id] : []));
}
