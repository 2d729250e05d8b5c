import { z } from "zod";

const HOUR = 3_600;
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
        .min(HOUR)
        .max(30 * 24 * HOUR),
    ),
  })
  .optional();

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
