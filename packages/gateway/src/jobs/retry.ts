import type { Trouble } from "@manifold-gateway/providers";
import type { JobDeps } from "./deps.ts";
import { fail } from "./end.ts";
import type { LeasedJob } from "./leased-job.ts";

/** Postpones a job after a passing error. Fails it after too many tries, or if there is no time left. */
export async function retry(held: LeasedJob, trouble: Trouble, phase?: "unsent"): Promise<void> {
  const { job, deps } = held;
  const { limits, clock } = deps;
  const at = clock.now();
  const backoff = Math.min(limits.retry.initial * 2 ** job.tries, limits.retry.max);
  const nextAt = at + Math.max(jitter(deps, backoff), trouble.retryAfter ?? 0);
  if (job.tries + 1 >= limits.tries || nextAt >= job.deadline) return fail(held, trouble);
  const { course } = job;
  const note = { ...(phase && { phase }), ...(course && { course }) };
  await held.note({ at, tries: job.tries + 1, nextAt, ...note });
}

/** The pause before the next poll, in milliseconds. */
export function waitOf({ deps, job }: LeasedJob, polls: number): number {
  const { initial: first, max: most, factor } = deps.limits.poll[job.kind];
  return jitter(deps, Math.min(first * factor ** Math.min(polls, 64), most));
}

/** Varies a pause by up to 10 %, so that jobs that began together do not poll together. */
const jitter = ({ random }: Pick<JobDeps, "random">, ms: number): number =>
  Math.round(ms * (0.9 + 0.2 * random()));
