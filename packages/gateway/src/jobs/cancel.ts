import { type Job, ObjectFault } from "@manifold/store";
import { operations } from "./operations.ts";
import { type Held, lineOf, type Tools } from "./tools.ts";

/** How long a provider may take to say whether it stops, in milliseconds. */
const PATIENCE = 15_000;

const CANCELLED = { kind: "cancelled", message: "The work was cancelled." };

/**
 * Gives work up that its caller does not want any more. What no provider was asked for ends at once; a provider that
 * can stop is asked to, and its next word is believed. All else goes on.
 */
export async function cancel(tools: Tools, job: Job): Promise<void> {
  const { store, clock, changed, log } = tools;
  const { id, accountId, createdAt, upstreamId } = job;
  if (job.endedAt !== undefined) return;
  const at = clock.now();
  const durationMs = Math.max(0, at - createdAt);
  if (await store.jobs.cancel({ id, accountId }, { at, error: CANCELLED, durationMs })) {
    log.info({ job: id, kind: job.kind, state: "cancelled" }, "job ended");
    changed(id);
    return detach(tools, job);
  }
  if (job.phase !== "accepted" || upstreamId === undefined) return;
  const held: Held = { ...tools, job, signal: AbortSignal.timeout(PATIENCE) };
  const provider = operations[job.kind].provider(held);
  try {
    if (provider) await provider.adapter.cancel?.(lineOf(held, provider.service), upstreamId);
  } catch (error) {
    log.warn({ job: id, upstream: upstreamId, code: (error as Error).name }, "job not cancelled");
  }
}

async function detach({ objects, store, log }: Tools, { id, attachment }: Job): Promise<void> {
  if (attachment === undefined) return;
  try {
    await objects.remove(attachment);
    await store.jobs.detach(id);
  } catch (error) {
    if (!(error instanceof ObjectFault)) throw error;
    log.warn({ job: id, code: error.code }, "job left objects behind");
  }
}
