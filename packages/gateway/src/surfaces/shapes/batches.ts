import { z } from "zod";

const HOUR_SECONDS = 3_600;
const moment = z.int().nullable().describe("Seconds since the epoch.");
const fileId = z.string().nullable();

/** When a file expires, as the chat-style surface states it; a form has the number as text. */
export const expiry = z
  .object({
    anchor: z.literal("created_at"),
    seconds: z.preprocess(
      (value) => (typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value),
      z
        .int()
        .min(HOUR_SECONDS)
        .max(30 * 24 * HOUR_SECONDS),
    ),
  })
  .nullish();

export const batchObject = z
  .object({
    id: z.string(),
    object: z.literal("batch"),
    endpoint: z.string(),
    errors: z
      .object({
        object: z.literal("list"),
        data: z.array(
          z.object({
            code: z.string(),
            message: z.string(),
            param: z.string().nullable(),
            line: z.int().nullable(),
          }),
        ),
      })
      .nullable(),
    input_file_id: z.string(),
    completion_window: z.string(),
    status: z.enum([
      "validating",
      "failed",
      "in_progress",
      "finalizing",
      "completed",
      "expired",
      "cancelling",
      "cancelled",
    ]),
    output_file_id: fileId.describe("The file of the answers, once the batch has ended."),
    error_file_id: fileId.describe("The file of the lines without an answer."),
    created_at: z.int(),
    expires_at: moment,
    in_progress_at: moment,
    finalizing_at: moment,
    completed_at: moment,
    failed_at: moment,
    expired_at: moment,
    cancelling_at: moment,
    cancelled_at: moment,
    request_counts: z.object({ total: z.int(), completed: z.int(), failed: z.int() }),
    metadata: z.record(z.string(), z.string()).nullable(),
  })
  .meta({ id: "Batch" });

export const messageBatch = z
  .object({
    id: z.string(),
    type: z.literal("message_batch"),
    processing_status: z.enum(["in_progress", "canceling", "ended"]),
    request_counts: z.object({
      processing: z.int(),
      succeeded: z.int(),
      errored: z.int(),
      canceled: z.int(),
      expired: z.int(),
    }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
    cancel_initiated_at: z.iso.datetime().nullable(),
    archived_at: z.iso.datetime().nullable().describe("When the results were removed."),
    results_url: z.string().nullable().describe("The address of the results, once the batch has ended."),
  })
  .meta({ id: "MessageBatch" });

const instant = z.iso.datetime();
const lines = z.int();

/** A file of a batch, as its owner reads it. */
const batchFile = z.object({
  use: z.enum(["input", "output", "errors"]),
  id: z.string(),
  name: z.string(),
  size: z.int().describe("Bytes."),
  expiresAt: instant.optional(),
  downloadUrl: z.string().describe("A link that expires; read the batch for a new one."),
});

/** A batch of any surface, as its owner reads it in a list. */
export const listedBatch = z.object({
  id: z.string(),
  surface: z.string().describe("The surface that received it."),
  endpoint: z.string().describe("The path of its requests, below the surface's prefix."),
  status: batchObject.shape.status,
  apiKeyId: z.string().describe("The key by which its lines are run."),
  lines: z
    .object({ total: lines, waiting: lines, running: lines, succeeded: lines, failed: lines, dropped: lines })
    .describe(
      "By their state. `dropped`: cancelled or expired before they were run. `total` is 0 until all are read.",
    ),
  error: z
    .object({ code: z.string(), message: z.string() })
    .optional()
    .describe("Why none of its lines was run."),
  metadata: z.record(z.string(), z.string()).optional(),
  createdAt: instant,
  expiresAt: instant.describe("From then on no further line is begun."),
  cancellingAt: instant.optional(),
  endedAt: instant.optional(),
});

/** A batch of any surface with its files. */
export const accountBatch = listedBatch
  .extend({ files: z.array(batchFile).describe("Those that are stored.") })
  .meta({ id: "AccountBatch" });

/** A batch of any account, as operators read it. */
export const anyBatch = listedBatch
  .extend({
    userId: z.string().describe("The account that began it and is charged."),
    accountName: z.string().optional().describe("The name of the account `userId`."),
  })
  .meta({ id: "AnyBatch" });
