import type { GuardedFetch, Line, Operation, Progress, Service } from "@manifold-gateway/providers";
import type { Job, JobEntry, Objects, Store } from "@manifold-gateway/store";
import { watchClient } from "../observe/job.ts";
import type { JobLimits } from "../ports/limits.ts";
import type { Log } from "../ports/log.ts";
import type { Probes } from "../ports/media.ts";
import type { JobWatch, ObservedAttempt, Observer } from "../ports/observer.ts";
import type { CredentialPool } from "../ports/routing.ts";
import type { Clock } from "./clock.ts";
import { pseudonymOf } from "./keys.ts";

/** A provider that registers identity assets. */
export interface Registry {
  provider: string;
  service: Service;
}

/** A provider's answer to a submission. */
export type SubmitReply = { id: string } | Progress<object>;

/** The dependencies of the steps of a job. */
export interface JobDeps {
  store: Store;
  objects: Objects;
  /** The service of an entry's provider for an operation; `undefined` if it is no longer configured. */
  service(entry: JobEntry, operation: Operation): Service | undefined;
  /** The health of providers' credentials. Absent: the first of several credentials is used. */
  credentials?: CredentialPool;
  /** The HTTP client of adapters, which passes bodies and their headers on unchanged. */
  client: Line["client"];
  /** Fetches from addresses that callers and providers name. */
  fetch: GuardedFetch;
  /** Fetches outputs of providers, which may be at addresses where other files may not. Default: `fetch`. */
  fetchOutput?: GuardedFetch;
  probes: Probes;
  /** Absent: identity assets are only stored here, and requests name their addresses. */
  registry?: Registry | undefined;
  /** Links to objects are reachable from the public internet, and therefore by providers. */
  isPublic: boolean;
  clock: Clock;
  /** A random number from 0 up to, but not including, 1. */
  random(): number;
  log: Log;
  /** Absent: nothing is observed. */
  observer?: Observer;
  limits: JobLimits;
  /** See `BillingOptions`. */
  policy: "threshold" | "strict";
  /** Checks whether a job may move to another entry: not if that one is failing. Default: it may. */
  enter?(job: Pick<Job, "model" | "accountId">, entry: JobEntry): boolean;
  /** Called with a provider's answer to a submission, or `undefined` without one, and the milliseconds it took. */
  onSubmitted?(
    job: Pick<Job, "model" | "entry" | "accountId">,
    answer: SubmitReply | undefined,
    ms: number,
  ): void;
  /** Called for a job that ended or was postponed before anything was sent to a provider. */
  onNotDispatched?(job: Pick<Job, "model" | "entry" | "accountId">): void;
  /** Notifies those who wait for a job that it has changed. */
  changed(id: string): void;
  /** The name of this worker in its leases. */
  owner: string;
}

/** A job that this worker has a lease on. */
export interface LeasedJob extends JobDeps {
  job: Job;
  /** Aborts if the lease is lost or the process stops: this worker must not write to the job any more. */
  signal: AbortSignal;
  /** The observer, if there is one. */
  watch?: JobWatch | undefined;
}

export const refOf = ({ job, owner }: Pick<LeasedJob, "job" | "owner">) => ({
  id: job.id,
  owner,
  attempt: job.attempt,
  accountId: job.accountId,
});

/** The connection to a provider for a job's calls. */
export const lineOf = (
  held: LeasedJob,
  service: Service,
  operation: ObservedAttempt["operation"],
  publish?: Line["publish"],
): Line => ({
  service,
  client: clientOf(held, service, operation),
  signal: held.signal,
  now: held.clock.now,
  model: held.job.entry?.name ?? "",
  user: pseudonymOf(held.job.accountId),
  deadline: held.job.deadline,
  ...(publish && { publish }),
});

/** Wraps a client to record whether it was called, and the status of its last answer. */
export function noteCalls(client: Line["client"]): {
  client: Line["client"];
  calls: { sent: boolean; status?: number };
} {
  const calls: { sent: boolean; status?: number } = { sent: false };
  const recordingClient = new Proxy(client, {
    apply(call, _, [input, options]: Parameters<Line["client"]>) {
      calls.sent = true;
      const answer = call(input, options);
      answer.then(
        ({ status }) => {
          calls.status = status;
        },
        () => {},
      );
      return answer;
    },
  });
  return { client: recordingClient, calls };
}

/** How long after the job's deadline a call and the storing of outputs may go on, in milliseconds. */
export const GRACE = { call: 60_000, store: 600_000 } as const;

/** A part of a step that took too long. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

/**
 * Runs a part of a step with a signal that also aborts `grace` milliseconds after the job's deadline: without that, a
 * slow trickle of bytes would never end.
 */
export async function within<T>(
  held: LeasedJob,
  grace: number,
  part: (held: LeasedJob) => Promise<T>,
): Promise<T> {
  const { job, clock, signal } = held;
  const late = new AbortController();
  const left = Math.max(0, job.deadline - clock.now()) + grace;
  const forget = clock.after(left, () => late.abort(new OutOfTime()));
  try {
    return await part({ ...held, signal: AbortSignal.any([signal, late.signal]) });
  } finally {
    forget();
  }
}

/** The client of a job. If the job is observed, so are its calls. */
export function clientOf(
  { client, watch, job }: LeasedJob,
  service: Service,
  operation: ObservedAttempt["operation"],
) {
  if (!watch) return client;
  const { provider = "", name = "" } = job.entry ?? {};
  return watchClient(client, watch, {
    operation,
    provider,
    name,
    origin: service.origin,
    protocol: service.wire,
  });
}
