import { errorFields, type Job, ObjectFault } from "@manifold-gateway/store";
import { logFailure } from "../http/fault.ts";
import { watchJob } from "../observe/job.ts";
import type { JobDeps } from "./deps.ts";
import { LeasedJob } from "./leased-job.ts";
import { lineOf } from "./line.ts";
import { operations } from "./operations.ts";

/** How long a provider may take to answer a cancellation, in milliseconds. */
const CANCEL_TIMEOUT = 15_000;

const CANCELLED = { kind: "cancelled", message: "The job was cancelled." };

/**
 * Cancels a job that its caller no longer needs. A job that no provider has ends at once. A provider that supports it
 * is asked to cancel, and the next poll shows whether it did. Other jobs go on.
 */
export async function cancel(deps: JobDeps, job: Job): Promise<void> {
  const { store, clock, changed, log } = deps;
  const { id, accountId, createdAt, upstreamId } = job;
  if (job.endedAt !== undefined) return;
  const at = clock.now();
  const durationMs = Math.max(0, at - createdAt);
  if (await store.jobs.cancel({ id, accountId }, { at, error: CANCELLED, durationMs })) {
    const watch = watchJob(deps.observer, job);
    watch?.settled?.({ status: "cancelled", cost: 0, durationMs, error: CANCELLED.kind, orphan: false });
    watch?.ended?.();
    log.info({ job: id, kind: job.kind, state: "cancelled" }, "job ended");
    deps.health.onNotDispatched?.(job);
    changed(id);
    return detach(deps, job);
  }
  if (job.phase === "accepted" && upstreamId !== undefined) await ask(deps, job, upstreamId);
}

async function ask(deps: JobDeps, job: Job, upstreamId: string): Promise<void> {
  const { log, observer } = deps;
  const watch = watchJob(observer, job);
  const held = new LeasedJob(deps, job, { watch, signal: AbortSignal.timeout(CANCEL_TIMEOUT) });
  const provider = operations[job.kind].provider(held);
  try {
    if (provider) await provider.adapter.cancel?.(lineOf(held, provider.service, "cancel"), upstreamId);
  } catch (error) {
    logFailure(log, error, { job: job.id, upstream: upstreamId }, "job not cancelled");
  } finally {
    watch?.ended?.();
  }
}

async function detach({ files, store, log }: JobDeps, { id, attachment }: Job): Promise<void> {
  if (attachment === undefined) return;
  try {
    await files.objects.remove(attachment);
    await store.jobs.detach(id);
  } catch (error) {
    if (!(error instanceof ObjectFault)) throw error;
    log.warn({ job: id, ...errorFields(error) }, "job left objects behind");
  }
}
