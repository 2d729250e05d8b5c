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

/** A provider that identity assets are registered with. */
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
  /** The service of an entry's provider for an operation; nothing where it is not set up any more. */
  service(entry: JobEntry, operation: Operation): Service | undefined;
  /** The health of providers' credentials. Absent: of several the first is used. */
  credentials?: CredentialPool;
  /** The client that adapters call with: it hands bodies on as they come and keeps their headers. */
  client: Line["client"];
  /** For addresses that callers and providers name. */
  fetch: GuardedFetch;
  /** For outputs of providers, which may be fetched from where other files may not. Default: `fetch`. */
  fetchOutput?: GuardedFetch;
  probes: Probes;
  /** Absent: identity assets are our own copies, and requests name their addresses. */
  registry?: Registry | undefined;
  /** Links to objects can be opened from the public internet, by providers too. */
  isPublic: boolean;
  clock: Clock;
  /** From 0 up to 1. */
  random(): number;
  log: Log;
  /** Absent: nothing is observed. */
  observer?: Observer;
  limits: JobLimits;
  /** See `BillingOptions`. */
  policy: "threshold" | "strict";
  /** Whether a job may go on at another entry than its own: not where that one is failing. Default: it may. */
  enter?(job: Pick<Job, "model" | "accountId">, entry: JobEntry): boolean;
  /**
   * Called with a provider's answer to a submission and the milliseconds it took; nothing where it did not answer.
   */
  onSubmitted?(
    job: Pick<Job, "model" | "entry" | "accountId">,
    answer: SubmitReply | undefined,
    ms: number,
  ): void;
  /** Called for a job that ended, or was put off, before anything was sent to a provider. */
  onNotDispatched?(job: Pick<Job, "model" | "entry" | "accountId">): void;
  /** Notifies waiters that a job has come further. */
  changed(id: string): void;
  /** This worker's name on the leases it has. */
  owner: string;
}

/** A job in the hands of this worker. */
export interface LeasedJob extends JobDeps {
  job: Job;
  /** Fires where the lease is lost or the process stops: what goes on is no longer this worker's to write. */
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

/** A line to a provider, for a job. */
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

/** A client that notes whether it was called, and the status of the last answer. */
export function noteCalls(client: Line["client"]): {
  client: Line["client"];
  calls: { sent: boolean; status?: number };
} {
  const calls: { sent: boolean; status?: number } = { sent: false };
  const noting = new Proxy(client, {
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
  return { client: noting, calls };
}

/** The time past its deadline that a call of a job, and the storing of its outputs, may take, in milliseconds. */
export const GRACE = { call: 60_000, store: 600_000 } as const;

/** A part of a step that did not end in time. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

/**
 * Does a part of a step with a job whose signal fires also when its time has been up for `grace` milliseconds: what
 * goes on in a trickle ends too.
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

/** The client of a job; its calls are watched if the job is. */
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
