import type { GuardedFetch, Line, Operation, Progress, Service } from "@manifold-gateway/providers";
import type { Job, JobEntry, Objects, Store } from "@manifold-gateway/store";
import type { JobLimits } from "../ports/limits.ts";
import type { Log } from "../ports/log.ts";
import type { Probes } from "../ports/media.ts";
import type { Observer } from "../ports/observer.ts";
import type { CredentialPool } from "../ports/routing.ts";
import type { Clock } from "./clock.ts";

/** A provider that registers identity assets. */
export interface Registry {
  provider: string;
  service: Service;
}

/** A provider's answer to a submission. */
export type SubmitReply = { id: string } | Progress<object>;

/** The providers that do the work of jobs. */
export interface JobProviders {
  /** The service of an entry's provider for an operation; `undefined` if it is no longer configured. */
  service(entry: JobEntry, operation: Operation): Service | undefined;
  /** The HTTP client of adapters, which passes bodies and their headers on unchanged. */
  client: Line["client"];
  /** The health of providers' credentials. Absent: the first of several credentials is used. */
  credentials?: CredentialPool | undefined;
  /** Absent: identity assets are only stored here, and requests name their addresses. */
  registry?: Registry | undefined;
}

/** The files of jobs: their inputs and outputs. */
export interface JobFiles {
  objects: Objects;
  /** Links to objects are reachable from the public internet, and therefore by providers. */
  isPublic: boolean;
  /** Fetches from addresses that callers and providers name. */
  fetch: GuardedFetch;
  /** Fetches outputs of providers, which may be at addresses where other files may not. */
  fetchOutput: GuardedFetch;
  probes: Probes;
}

/** The health of the entries that jobs are sent to. Absent members: it is not observed. */
export interface JobHealth {
  /** Checks whether a job may move to another entry: not if that one is failing. */
  enter?: ((job: Pick<Job, "model" | "accountId">, entry: JobEntry) => boolean) | undefined;
  /** Called with a provider's answer to a submission, or `undefined` without one, and the milliseconds it took. */
  onSubmitted?:
    | ((job: Pick<Job, "model" | "entry" | "accountId">, answer: SubmitReply | undefined, ms: number) => void)
    | undefined;
  /** Called for a job that ended or was postponed before anything was sent to a provider. */
  onNotDispatched?: ((job: Pick<Job, "model" | "entry" | "accountId">) => void) | undefined;
}

/** The dependencies of jobs. */
export interface JobDeps {
  store: Store;
  providers: JobProviders;
  files: JobFiles;
  health: JobHealth;
  limits: JobLimits;
  /** See `BillingOptions`. */
  policy: "threshold" | "strict";
  clock: Clock;
  /** A random number from 0 up to, but not including, 1. */
  random(): number;
  log: Log;
  /** Absent: nothing is observed. */
  observer?: Observer | undefined;
  /** Notifies those who wait for a job that it has changed. */
  changed(id: string): void;
  /** The name of this worker in its leases. */
  owner: string;
}
