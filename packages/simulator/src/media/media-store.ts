import { digest } from "../content/digest.ts";
import type { MediaCall } from "../protocols/protocol.ts";
import { Refusal } from "../refusal.ts";
import { createFiles, type Files } from "./files.ts";
import {
  createMediaJobs,
  type MediaJob,
  type MediaJobSpec,
  type MediaJobs,
  type Output,
} from "./media-jobs.ts";

/** The media jobs and their output files. */
export interface MediaStore {
  jobs: MediaJobs;
  files: Files;
  /** The number of jobs that requests with this digest have begun, including this one. */
  count(hash: string): number;
  clear(): void;
}

export function createMediaStore(capacity: number): MediaStore {
  const jobs = createMediaJobs(capacity);
  const files = createFiles();
  const counts = new Map<string, number>();
  return {
    jobs,
    files,
    count(hash) {
      const count = (counts.get(hash) ?? 0) + 1;
      counts.set(hash, count);
      return count;
    },
    clear() {
      for (const part of [jobs, files, counts]) part.clear();
    },
  };
}

type MediaJobOptions = Pick<MediaJobSpec, "errors" | "outcome" | "make"> & {
  operation?: string;
  /** The vendor's form of an id, from a hex digest. */
  id?: (hash: string) => string;
};

/** Starts a job for a call. Identical calls get different ids, as at the vendor. */
export function begin(
  call: MediaCall,
  { id = (hash) => hash, operation, ...wanted }: MediaJobOptions,
): MediaJob {
  const { mediaStore, entry, model, body, now } = call;
  const { refuse } = wanted.outcome;
  if (refuse !== undefined) {
    const code = refuse === "moderation" ? wanted.errors.moderation : refuse;
    throw new Refusal("invalid", `The request was refused as it was told to: ${refuse}.`, { code });
  }
  return mediaStore.jobs.begin({
    ...wanted,
    id: id(digest(call.hash, String(mediaStore.count(call.hash)))),
    operation: operation ?? entry.operation,
    protocol: entry.protocol,
    model,
    request: body,
    exchange: entry,
    now,
  });
}

/** Runs a job to its end, for vendors whose answer has the result. Throws a refusal if the job failed. */
export function make(call: MediaCall, wanted: MediaJobOptions): MediaJob {
  const job = call.mediaStore.jobs.finish(begin(call, wanted), call.now);
  if (job.state === "succeeded") return job;
  const { code = job.state, message = `The work ended as ${job.state}.` } = job.error ?? {};
  throw new Refusal(code === wanted.errors.internal ? "internal" : "invalid", message, { code });
}

/** Publishes an output at a link that expires after `lifetime` seconds. */
export function publish(
  call: Pick<MediaCall, "mediaStore" | "origin" | "now">,
  { job, output, bytes, lifetime }: { job: MediaJob; output: Output; bytes: () => Buffer; lifetime: number },
): string {
  const { mediaStore, origin, now } = call;
  return mediaStore.files.publish({ job, output, make: bytes, origin, now, lifetime });
}

/** Reads a job for a client, which counts the read. Undefined if there is none, or if its outcome hides it by now. */
export function readJob(call: MediaCall, id: string, fits: (job: MediaJob) => boolean): MediaJob | undefined {
  const job = call.mediaStore.jobs.find(id);
  if (!job || !fits(job)) return undefined;
  if (job.outcome.lost !== undefined && job.reads >= job.outcome.lost) return undefined;
  return call.mediaStore.jobs.read(job, call.now);
}
