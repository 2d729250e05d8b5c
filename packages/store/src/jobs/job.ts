import { fromColumn, type JsonObject } from "../engine/json-columns.ts";
import type { Tables } from "../engine/tables.ts";

/** What the work is: a generation of media, or the registration of an `asset` at a provider. */
export type JobKind = "image" | "video" | "speech" | "asset";
/** `queued` until a provider begins, as far as it reports that; the last three are final. */
export type JobState = "queued" | "running" | "succeeded" | "failed" | "cancelled";

/**
 * How far the job has come to its provider: from `sending` on it may have arrived; then the provider has given an id
 * (`accepted`) or a result (`answered`).
 */
export type JobPhase = "unsent" | "sending" | "accepted" | "answered";

/** The entry that does the work: a provider, its own name for the model, and the wire of its requests. */
export interface JobEntry {
  /** The id of the provider in the configuration. */
  provider: string;
  /** The provider's name for the model. */
  name: string;
  /** The wire of the provider's service: it selects the adapter. */
  wire: string;
}

/** The reason why a job failed. */
export interface JobError {
  /** A word for programs: `refused`, `moderated`, `expired`, … */
  kind: string;
  /** The message for the caller. */
  message: string;
  /** The provider's own code, if it gave one. */
  code?: string;
  /** The HTTP status of the provider's answer, if it gave one. */
  status?: number;
  /** The provider's answer, if it refused the work. */
  body?: JsonObject;
  /** The wait that the provider requested, in ms. */
  retryAfter?: number;
}

/** Work that outlives its request. Times are ms. */
export interface Job {
  /** The id; also that of its generation, if it is billed, and of its asset, if it is one. */
  id: string;
  /** What the work is. */
  kind: JobKind;
  /** The account that began it and is charged. */
  accountId: string;
  /** The key that began it; absent for a session. */
  keyId?: string;
  /** The caller's name for it. */
  model: string;
  /** Absent if no provider takes part. */
  entry?: JobEntry;
  /** The price at submission. Absent if nothing is billed. */
  price?: JsonObject;
  /** The most usage that was estimated, in the units of prices. Absent if nothing is billed. */
  estimate?: JsonObject;
  /** The request, deleted when it ends; a long one is stored under the object key `attachment` instead. */
  ask?: JsonObject;
  /** The object key of a long request; absent for others, and once its file is deleted. */
  attachment?: string;
  /** Further members shown to callers with the result. */
  shown?: JsonObject;
  /** The entries to which it was sent and may still be sent. For workers only; deleted when it ends. */
  course?: JsonObject;
  /** How far it has come to its provider. */
  phase: JobPhase;
  /** The provider's id of the work. */
  upstreamId?: string;
  /** What callers see of its progress. */
  state: JobState;
  /** What is known of the work so far: after success, what was made, with the ids of its assets. */
  result?: JsonObject;
  /** Why it failed or was cancelled; absent otherwise. */
  error?: JobError;
  /** True if the provider may have worked on it without a result reaching this service. */
  orphan: boolean;
  /**
   * The number of claims so far. Every write names it, so that a worker that has lost its lease writes nothing.
   */
  attempt: number;
  /** The number of temporary failures in a row. */
  tries: number;
  /** The number of times that the provider was polled. */
  polls: number;
  /** The time from which a worker may claim it. */
  nextAt: number;
  /** The time at which the job is given up. */
  deadline: number;
  /** When it was created. */
  createdAt: number;
  /** When a worker last wrote it. */
  updatedAt: number;
  /** When it ended; absent while it runs. */
  endedAt?: number;
}

/** A job to create. */
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
  /** When it is created, in ms. */
  at: number;
  /** The temporary failures that are counted from the start. Default: none. */
  tries?: number;
  /** The lease of its creator, which starts on it at once. */
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
