import { fromColumn, type JsonObject } from "../engine/json-columns.ts";
import type { Tables } from "../engine/tables.ts";

/**
 * The phase of work on a batch: its lines are read from its file (`reading`) and run (`running`), and their answers are
 * written to files (`writing`). The batch has ended then: its lines are removed (`sweeping`) until nothing is left to
 * do (`swept`).
 */
export type BatchPhase = "reading" | "running" | "writing" | "sweeping" | "swept";

/** How a batch ended. `failed`: none of its lines was run. */
export type BatchOutcome = "completed" | "failed" | "expired" | "cancelled";

/** The state of a batch for its caller: the outcome once it has ended, before that the phase. */
export type BatchState = "reading" | "running" | "writing" | "cancelling" | BatchOutcome;

/** How a line ended: with an answer, with an error, or without having been run. */
export type LineOutcome = "succeeded" | "errored" | "cancelled" | "expired";

/** The number of lines by state. Lines that have not ended are `waiting` or `sent`. */
export type LineCounts = Readonly<Record<LineOutcome | "waiting" | "sent", number>>;

/** Requests that are run together. Times are ms. */
export interface Batch {
  /** The id in routes. */
  id: string;
  /** The account that began it and is charged. */
  accountId: string;
  /** The key by which its lines are run. */
  keyId: string;
  /** The name of the surface that received it. */
  surface: string;
  /** The path of its requests, below the surface's prefix. */
  endpoint: string;
  /** The file of its lines. */
  input: string;
  /** Further members of its caller's request, as the surface needs them. */
  terms: JsonObject;
  /** The phase of work on it. */
  phase: BatchPhase;
  /** How it ended. Absent while it runs. */
  outcome?: BatchOutcome;
  /** Why it failed. */
  error?: JsonObject;
  /** The number of its lines; 0 until they are read. */
  total: number;
  /** Its lines by their outcome, once it has ended. */
  counts?: LineCounts;
  /** The file of its answers, once it is written. */
  output?: string;
  /** The file of its errors, once it is written. */
  errors?: string;
  /** The number of claims so far. */
  attempt: number;
  /** When it was begun. */
  createdAt: number;
  /** The time from which no further line is begun. */
  expiresAt: number;
  /** When its caller asked to cancel it. */
  cancellingAt?: number;
  /** When all of its lines were read. */
  runningAt?: number;
  /** When the last of its lines ended. */
  writingAt?: number;
  /** When it ended, with the files of its answers. */
  endedAt?: number;
}

/** A batch to create. */
export type NewBatch = Pick<
  Batch,
  "id" | "accountId" | "keyId" | "surface" | "endpoint" | "input" | "terms" | "createdAt" | "expiresAt"
>;

/** A batch as one worker claimed it: the condition of its writes. */
export interface BatchRef {
  /** The batch's id. */
  id: string;
  /** The worker's name. */
  owner: string;
  /** The number of the claim. */
  attempt: number;
}

export type BatchRow = Tables["batches"];

export function toBatch(row: BatchRow): Batch {
  const optional = {
    outcome: (row.outcome as BatchOutcome | null) ?? undefined,
    error: fromColumn(row.error),
    counts: fromColumn<LineCounts>(row.counts),
    output: row.output_file ?? undefined,
    errors: row.error_file ?? undefined,
    cancellingAt: row.cancelling_at ?? undefined,
    runningAt: row.running_at ?? undefined,
    writingAt: row.writing_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
  };
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    surface: row.surface,
    endpoint: row.endpoint,
    input: row.input_file,
    terms: fromColumn(row.terms) ?? {},
    phase: row.phase as BatchPhase,
    total: row.total,
    attempt: row.attempt,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  };
}

export const toBatchRow = (batch: NewBatch): BatchRow => ({
  id: batch.id,
  account_id: batch.accountId,
  key_id: batch.keyId,
  surface: batch.surface,
  endpoint: batch.endpoint,
  input_file: batch.input,
  terms: JSON.stringify(batch.terms),
  phase: "reading",
  outcome: null,
  error: null,
  total: 0,
  counts: null,
  output_file: null,
  error_file: null,
  owner: null,
  lease_until: 0,
  attempt: 0,
  next_at: batch.createdAt,
  created_at: batch.createdAt,
  expires_at: batch.expiresAt,
  cancelling_at: null,
  running_at: null,
  writing_at: null,
  ended_at: null,
});
