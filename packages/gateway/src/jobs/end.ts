import type { Trouble } from "@manifold-gateway/providers";
import {
  type Asset,
  type Counts,
  errorFields,
  type JobEnd,
  type JobError,
  ObjectFault,
  type Price,
} from "@manifold-gateway/store";
import { logDenial } from "../observe/observed-call.ts";
import { charge } from "./charge.ts";
import { routeOf } from "./course.ts";
import type { LeasedJob } from "./leased-job.ts";
import type { StoredResult } from "./operation.ts";

/** The error of a job that a provider may or may not have accepted. */
export const UNKNOWN: Trouble = {
  kind: "unavailable",
  message:
    "It is unknown whether the provider accepted the job; it was not sent again, and nothing is charged.",
};
/** The error of a job whose output was lost with the worker that received it. */
export const LOST: Trouble = {
  kind: "unavailable",
  message: "The output was lost before it could be stored; nothing is charged.",
};
export const REDIRECTED: Trouble = {
  kind: "unavailable",
  message: "The provider returned a redirect, which is never followed.",
};
export const EXPIRED: Trouble = { kind: "expired", message: "The job was not finished in time." };
export const BROKEN: Trouble = {
  kind: "internal",
  message: "Internal error: nothing was sent to the provider, and nothing is charged.",
};
export const UNREACHED: Trouble = { kind: "unavailable", message: "The provider could not be reached." };
export const UNSERVED: Trouble = {
  kind: "misconfigured",
  message: "The provider of this model is not configured.",
};

/** The kinds of trouble that a provider which accepted the job did not cause: the request's and ours. */
const BLAMELESS: ReadonlySet<string> = new Set(["refused", "moderated", "internal"]);

/** Ends a job successfully: files, record and charge in one commit. */
export async function succeed(
  held: LeasedJob,
  { result, assets, counts, usage }: StoredResult,
): Promise<void> {
  const { price, estimate } = held.job;
  const charged = price
    ? charge(price as Price, (estimate ?? {}) as Counts, counts ?? {}, usage)
    : { cost: 0 };
  await end(held, { state: "succeeded", result, assets, ending: charged });
}

/** Ends a job that failed or was cancelled, and releases its hold. */
export async function fail(
  held: LeasedJob,
  trouble: Trouble,
  { state = "failed", orphan = false }: { state?: "failed" | "cancelled"; orphan?: boolean } = {},
): Promise<void> {
  const error: JobError = trouble;
  const { id, entry } = held.job;
  logDenial(held.deps.log, trouble.status, { job: id, provider: entry?.provider });
  await end(held, { state, error, orphan, assets: await failedAsset(held, trouble), ending: { cost: 0 } });
}

async function failedAsset({ job, deps }: LeasedJob, { kind, code, message }: Trouble): Promise<Asset[]> {
  if (job.kind !== "asset") return [];
  const asset = await deps.store.assets.get({ id: job.id, accountId: job.accountId });
  const isLate = kind === "expired" || kind === "unavailable";
  const errorCode = code ?? (isLate ? "timeout" : "provider_rejected");
  return asset
    ? [{ ...asset, state: "failed", errorCode, errorMessage: message, updatedAt: deps.clock.now() }]
    : [];
}

type End = Omit<JobEnd, "at" | "ending"> & { ending: { cost: number; usage?: object } };

async function end(held: LeasedJob, { ending, ...rest }: End): Promise<void> {
  const { job } = held;
  const { store, clock, log } = held.deps;
  const at = clock.now();
  const { provider } = job.entry ?? {};
  const { error: { kind: error } = {} } = rest;
  const taken = routeOf(job);
  const route = taken && error !== undefined && BLAMELESS.has(error) ? { ...taken, fault: error } : taken;
  const done = await store.jobs.finish(held.ref, {
    ...rest,
    at,
    ending: {
      ...(ending as JobEnd["ending"] & object),
      durationMs: Math.max(0, at - job.createdAt),
      ...(route && { route }),
    },
  });
  if (!done) return;
  const { state: status, orphan = false } = rest;
  const durationMs = Math.max(0, at - job.createdAt);
  held.watch?.settled?.({
    status,
    cost: ending.cost,
    durationMs,
    orphan,
    ...(job.price && { price: job.price as Price }),
    ...(error !== undefined && { error }),
  });
  const fields = { job: job.id, kind: job.kind, provider, state: rest.state, cost: ending.cost };
  if (rest.orphan) log.warn({ ...fields, upstream: job.upstreamId }, "job may be orphaned at its provider");
  else log.info({ ...fields, error: rest.error?.kind }, "job ended");
  held.changed();
  await clean(held);
}

/** Removes what only a running job needs. Whatever cannot be removed now is removed by retention. */
async function clean({ job, deps }: LeasedJob): Promise<void> {
  const { store, log } = deps;
  const { objects } = deps.files;
  const published = job.result?.published;
  try {
    if (job.attachment !== undefined) {
      await objects.remove(job.attachment);
      await store.jobs.detach(job.id);
    }
    for (const key of Array.isArray(published) ? published : []) await objects.remove(String(key));
  } catch (error) {
    if (!(error instanceof ObjectFault)) throw error;
    log.warn({ job: job.id, ...errorFields(error) }, "job left objects behind");
  }
}
