import { toObject } from "@manifold-gateway/core/codec";
import type { ImagePreview } from "@manifold-gateway/core/operations";
import { type Progress, UpstreamFault } from "@manifold-gateway/providers";
import { logFailure } from "../http/fault.ts";
import { moveToNextEntry, recordTrouble } from "./course.ts";
import { EXPIRED, fail, UNKNOWN, UNREACHED, UNSERVED } from "./end.ts";
import { GRACE, type LeasedJob } from "./leased-job.ts";
import { lineOf } from "./line.ts";
import type { Provided } from "./operation.ts";
import { operations } from "./operations.ts";
import { waitOf } from "./retry.ts";
import { storeOutputs } from "./store-outputs.ts";
import { submit } from "./submit.ts";

/** The number of consecutive 404s after which a provider has lost its work. */
const MISSED = 3;

/** Takes one step with a job: submits it, or polls it. Rejects for defects and passing errors. */
export async function step(held: LeasedJob, preview?: (preview: ImagePreview) => void): Promise<void> {
  const { job, deps } = held;
  // An earlier worker may have reached the provider without getting its answer.
  if (job.phase === "sending") return fail(held, UNKNOWN, { orphan: true });
  const operation = operations[job.kind];
  const provider = operation.provider(held);
  if (!provider) return unserved(held);
  const work = { operation, ...provider };
  if (job.phase === "accepted") return poll(held, work);
  if (job.phase === "answered") return storeOutputs(held, work, toObject(job.result?.answer));
  if (deps.clock.now() >= job.deadline) return fail(held, EXPIRED);
  return submit(held, work, preview);
}

/**
 * Handles a job whose provider is not configured. If the provider has it, it is kept until its deadline: only this
 * process may lack the provider.
 */
async function unserved(held: LeasedJob): Promise<void> {
  const { job, deps } = held;
  const at = deps.clock.now();
  const hasIt = job.phase !== "unsent";
  const left = hasIt ? held : await moveToNextEntry(held);
  if (!left) return;
  if (!hasIt || at >= job.deadline) return fail(left, UNSERVED, { orphan: hasIt });
  const nextAt = Math.min(at + waitOf(held, job.polls), job.deadline);
  await held.note({ at, polls: job.polls + 1, nextAt });
}

async function poll(held: LeasedJob, work: Provided): Promise<void> {
  const { service, adapter } = work;
  const { job, deps } = held;
  const id = job.upstreamId ?? "";
  const { poll } = adapter;
  if (!poll) return fail(held, UNSERVED, { orphan: true });
  let progress: Progress<object>;
  try {
    progress = await held.within(GRACE.call, (timed) => poll(lineOf(timed, service, "poll"), id));
  } catch (error) {
    if (held.signal.aborted) return;
    if (!(error instanceof UpstreamFault)) throw error;
    progress = { state: "running", trouble: UNREACHED };
  }
  if (progress.state === "succeeded") return storeOutputs(held, work, progress.result);
  const at = deps.clock.now();
  const isOver = at >= job.deadline;
  if (progress.state === "failed" || progress.state === "cancelled") {
    const isLost = progress.trouble.status === 404 && job.tries + 1 < MISSED && !isOver;
    if (isLost) return later({ tries: job.tries + 1 });
    // An earlier step cancelled the work at the deadline but could not write the end: end it as that step would have.
    if (isOver && progress.state === "cancelled") return fail(held, EXPIRED);
    recordTrouble(held, progress.trouble);
    return fail(held, progress.trouble, { state: progress.state });
  }
  if (isOver) {
    const isStopped = await stop(held, work);
    if (!held.signal.aborted) await fail(held, EXPIRED, { orphan: !isStopped });
    return;
  }
  const { trouble } = progress;
  // A poll that failed, or whose answer is unknown, tells nothing about the work.
  const state = trouble || job.state === "running" ? undefined : progress.state;
  await later({ ...(state && { state }), tries: 0 }, trouble?.retryAfter);
  if (state && state !== job.state) held.changed();

  async function later(note: object, least = 0): Promise<void> {
    const nextAt = Math.min(at + Math.max(waitOf(held, job.polls), least), job.deadline);
    await held.note({ at, polls: job.polls + 1, nextAt, ...note });
  }
}

/** Asks a provider to cancel its work. Only a poll that shows the work as cancelled or failed counts as success. */
async function stop(held: LeasedJob, { adapter, service }: Provided): Promise<boolean> {
  const { id: job, upstreamId: id = "" } = held.job;
  const { cancel, poll } = adapter;
  if (!cancel) return false;
  try {
    return await held.within(GRACE.call, async (timed) => {
      await cancel(lineOf(timed, service, "cancel"), id);
      const left = await poll?.(lineOf(timed, service, "poll"), id);
      return left?.state === "cancelled" || left?.state === "failed";
    });
  } catch (error) {
    logFailure(held.deps.log, error, { job, upstream: id }, "expired job not cancelled at its provider");
    return false;
  }
}
