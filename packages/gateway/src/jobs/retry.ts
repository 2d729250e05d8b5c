import type { Trouble } from "@manifold-gateway/providers";
import { type LeasedJob, refOf } from "./deps.ts";
import { fail } from "./end.ts";

/** Puts off what failed in passing, until it has failed too often or there is no time left. */
export async function retry(held: LeasedJob, trouble: Trouble, phase?: "unsent"): Promise<void> {
  const { job, limits, clock, store } = held;
  const at = clock.now();
  const backoff = Math.min(limits.retry.initial * 2 ** job.tries, limits.retry.max);
  const nextAt = at + Math.max(jitter(held, backoff), trouble.retryAfter ?? 0);
  if (job.tries + 1 >= limits.tries || nextAt >= job.deadline) return fail(held, trouble);
  const { course } = job;
  const note = { ...(phase && { phase }), ...(course && { course }) };
  await store.jobs.note(refOf(held), { at, tries: job.tries + 1, nextAt, ...note });
}

/** Milliseconds until the next poll. */
export function waitOf(held: LeasedJob, polls: number): number {
  const { initial: first, max: most, factor } = held.limits.poll[held.job.kind];
  return jitter(held, Math.min(first * factor ** Math.min(polls, 64), most));
}

/** A tenth more or less, so that what began together does not go on together. */
const jitter = ({ random }: LeasedJob, ms: number): number => Math.round(ms * (0.9 + 0.2 * random()));
