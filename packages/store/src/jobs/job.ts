import { fromColumn, type JsonObject } from "../json.ts";
import type { Tables } from "../tables.ts";

export type JobKind = "image" | "video" | "speech" | "asset";
export type JobState = "queued" | "running" | "succeeded" | "failed" | "cancelled";

/**
 * The provider's knowledge of the job: from `sending` on it may have been sent, until the provider has named the work
 * (`accepted`) or has done it (`answered`).
 */
export type JobPhase = "unsent" | "sending" | "accepted" | "answered";

/** The party that does the work: a provider, its own name for the model, and the wire of its requests. */
export interface JobEntry {
  provider: string;
  name: string;
  wire: string;
}

/** The reason why a job did not end well. */
export interface JobError {
  /** A word for programs: `refused`, `moderated`, `expired`, … */
  kind: string;
  /** The message for the caller. */
  message: string;
  /** The provider's own code and status, where it gave them. */
  code?: string;
  status?: number;
  /** The provider's answer where it refused the work. */
  body?: JsonObject;
  /** The wait that the provider asked for, in ms. */
  retryAfter?: number;
}

/** Work that outlives its request. Times are ms. */
export interface Job {
  /** Of its generation too, where it is billed; of its asset, where it is one. */
  id: string;
  kind: JobKind;
  accountId: string;
  keyId?: string;
  /** The caller's name for it. */
  model: string;
  /** Absent where no provider takes part. */
  entry?: JobEntry;
  /** The price at submission, and the most that it was reckoned to use. Absent where nothing is billed. */
  price?: JsonObject;
  estimate?: JsonObject;
  /** The request; a long one lies under the object key `attachment` instead. */
  ask?: JsonObject;
  attachment?: string;
  /** Members shown to readers beside the result. */
  shown?: JsonObject;
  /** The entries that it was sent to, and may yet be sent to: the worker's own notes, gone when it has ended. */
  course?: JsonObject;
  phase: JobPhase;
  /** The provider's id of the work. */
  upstreamId?: string;
  state: JobState;
  result?: JsonObject;
  error?: JobError;
  /** The provider may be working on it, or have worked, without our ever hearing of it. */
  orphan: boolean;
  /**
   * The number of times that it was taken up: every write names it, so that a worker which lost its lease writes
   * nothing.
   */
  attempt: number;
  /** Passing failures in a row, and polls. */
  tries: number;
  polls: number;
  /** When it is to be taken up again, and when it is given up. */
  nextAt: number;
  deadline: number;
  createdAt: number;
  updatedAt: number;
  endedAt?: number;
}

/** A job as it begins. */
export type NewJob = Pick<
  Job,
  | "id"
  | "kind"
  | "accountId"
  | "keyId"
  | "model"
  | "entry"
  | "price"
  | "estimate"
  | "ask"
  | "attachment"
  | "shown"
  | "course"
  | "deadline"
> & {
  at: number;
  /** Passing failures that count as had already. Default: none. */
  tries?: number;
  /** Taken up by its maker at once. */
  lease?: { owner: string; until: number };
};

export type JobRow = Tables["jobs"];

export function toJob(row: JobRow): Job {
  const optional = {
    keyId: row.key_id ?? undefined,
    entry: fromColumn<JobEntry>(row.entry),
    price: fromColumn(row.price),
    estimate: fromColumn(row.estimate),
    ask: fromColumn(row.ask),
    attachment: row.attachment ?? undefined,
    shown: fromColumn(row.shown),
    course: fromColumn(row.course),
    upstreamId: row.upstream_id ?? undefined,
    result: fromColumn(row.result),
    error: fromColumn<JobError>(row.error),
    endedAt: row.ended_at ?? undefined,
  };
  return {
    id: row.id,
    kind: row.kind as JobKind,
    accountId: row.account_id,
    model: row.model,
    phase: row.phase as JobPhase,
    state: row.state as JobState,
    orphan: row.orphan === 1,
    attempt: row.attempt,
    tries: row.tries,
    polls: row.polls,
    nextAt: row.next_at,
    deadline: row.deadline,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  };
}
