import type { LedgerEntry } from "../ledger.ts";
import type { Outcome } from "../script/outcomes.ts";

export type MediaJobState = "queued" | "running" | "succeeded" | "failed" | "cancelled" | "expired";

/** A file that a job made, or the error in its place. */
export interface Output {
  type: string;
  width?: number;
  height?: number;
  seconds?: number;
  /** Where it can be downloaded, for outputs that are not answered inline. */
  url?: string;
  /** The number of times that it was downloaded whole. */
  downloads: number;
  error?: MediaJobError;
}

export interface MediaJobError {
  code: string;
  message: string;
}

/** The record of a media job: an image, a video, speech or an asset. */
export interface MediaJob {
  /** The vendor's id, by which clients poll. */
  id: string;
  operation: string;
  protocol: string;
  model: string;
  /** The body of the request that began it. */
  request: unknown;
  state: MediaJobState;
  error?: MediaJobError;
  outputs: Output[];
  /** The items that the vendor bills, by its names; empty unless the job succeeded. */
  billed: Record<string, number>;
  /** The number of times that a client read its state. */
  reads: number;
  /** True if the answer to the request that began it arrived whole. */
  readonly isDelivered: boolean;
  /** Milliseconds since 1970. */
  created: number;
  updated: number;
  outcome: Outcome;
}

/** The result of a successful job. */
export interface Product {
  outputs: Output[];
  billed: Record<string, number>;
  /** Facts that the wire needs for later answers. */
  detail?: Record<string, unknown>;
}

interface Errors {
  /** The vendor's codes for moderated content and for internal errors. */
  moderation: string;
  internal: string;
}

export interface MediaJobSpec {
  id: string;
  operation: string;
  protocol: string;
  model: string;
  request: unknown;
  outcome: Outcome;
  errors: Errors;
  exchange: LedgerEntry;
  now: number;
  make(job: MediaJob): Product;
}

export interface MediaJobs {
  readonly all: readonly MediaJob[];
  /** Starts a job. `finish` ends it according to its outcome. */
  begin(spec: MediaJobSpec): MediaJob;
  find(id: string): MediaJob | undefined;
  /** Counts a read of the state. Jobs advance by reads, not by time. */
  read(job: MediaJob, now: number): MediaJob;
  finish(job: MediaJob, now: number): MediaJob;
  cancel(job: MediaJob, now: number): void;
  /** Fails the jobs that an exchange began, because its answer breaks off with an error. */
  revoke(exchange: LedgerEntry): void;
  /** The facts that the wire needs for later answers. */
  detail(job: MediaJob): Record<string, unknown>;
  /** Hides the job from clients; the record stays. */
  hide(job: MediaJob): void;
  clear(): void;
}

const ENDED: MediaJobState[] = ["succeeded", "failed", "cancelled", "expired"];

/** The bytes of a file, cut in half if its outcome is `broken`. */
export const truncateIfBroken = (bytes: Buffer, { broken }: Outcome): Buffer =>
  broken ? bytes.subarray(0, bytes.length >> 1) : bytes;

export const hasEnded = (job: MediaJob): boolean => ENDED.includes(job.state);

export function createMediaJobs(capacity: number): MediaJobs {
  const all: MediaJob[] = [];
  const specOf = new Map<MediaJob, MediaJobSpec>();
  const details = new Map<MediaJob, Record<string, unknown>>();
  const byId = new Map<string, MediaJob>();

  const end = (job: MediaJob): void => {
    const { make, errors } = specOf.get(job)!;
    const { fail, expire, cancel } = job.outcome;
    if (fail !== undefined) {
      const code = fail === "moderation" || fail === "internal" ? errors[fail] : fail;
      job.state = "failed";
      job.error = { code, message: `The work failed as it was told to: ${fail}.` };
    } else if (expire) job.state = "expired";
    else if (cancel) job.state = "cancelled";
    else {
      job.state = "succeeded";
      const { outputs, billed, detail = {} } = make(job);
      Object.assign(job, { outputs, billed });
      details.set(job, detail);
    }
  };
  const jobs: MediaJobs = {
    all,
    begin(spec) {
      const { make: _, errors: __, exchange, now, ...rest } = spec;
      const job: MediaJob = {
        ...rest,
        state: "queued",
        outputs: [],
        billed: {},
        reads: 0,
        get isDelivered() {
          return exchange.delivered === "complete";
        },
        created: now,
        updated: now,
      };
      if (all.length >= capacity) {
        const oldest = all.shift()!;
        specOf.delete(oldest);
        details.delete(oldest);
        byId.delete(oldest.id);
      }
      all.push(job);
      specOf.set(job, spec);
      byId.set(job.id, job);
      return job;
    },
    find: (id) => byId.get(id),
    read(job, now) {
      job.reads += 1;
      const { queued = 0, running = 1 } = job.outcome;
      if (hasEnded(job) || job.reads <= queued) return job;
      if (job.reads > queued + running) return jobs.finish(job, now);
      if (job.state !== "running") Object.assign(job, { state: "running", updated: now });
      return job;
    },
    finish(job, now) {
      if (hasEnded(job)) return job;
      end(job);
      job.updated = now;
      return job;
    },
    cancel: (job, now) => void Object.assign(job, { state: "cancelled", updated: now }),
    revoke(exchange) {
      for (const job of all) {
        const spec = specOf.get(job);
        if (spec?.exchange !== exchange) continue;
        const error = { code: spec.errors.internal, message: "The answer broke off with an error." };
        Object.assign(job, { state: "failed", error, billed: {} });
      }
    },
    detail: (job) => details.get(job) ?? {},
    hide: (job) => void byId.delete(job.id),
    clear() {
      all.length = 0;
      for (const map of [specOf, details, byId]) map.clear();
    },
  };
  return jobs;
}
