import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Batch, BatchOutcome, BatchState } from "@manifold-gateway/store";
import { z } from "zod";
import { endsOf, whole } from "../account/paging.ts";
import { beginBatch, fileNotFound } from "../batches/begin-batch.ts";
import { type BatchView, cancelBatch, listBatches, readBatch, viewOf } from "../batches/read-batch.ts";
import { type BatchService, batchesOf, batchServices } from "../batches/services.ts";
import { HOUR, toSeconds } from "../http/moments.ts";
import { quote, Refusal } from "../http/refusal.ts";
import type { BatchTerms } from "../ports/batches.ts";
import type { Context } from "../ports/context.ts";
import { defineRoute, type Route } from "../route.ts";
import { findFile, INPUT } from "./files.ts";
import { batchObject, expiry } from "./shapes/batches.ts";

/** What the ids of its batches begin with. */
export const BATCH_PREFIX = "batch_";

export const batchBody = z.object({
  input_file_id: z.string().min(1).max(512).describe("The id of a file with the purpose `batch`."),
  endpoint: z.string().max(512).describe("The path of the requests, such as `/v1/chat/completions`."),
  completion_window: z
    .string()
    .regex(/^[1-9]\d{0,2}h$/, "must be a number of hours, such as '24h'")
    .describe("The time after which no further line is begun; the longest is `168h`."),
  metadata: z
    .record(z.string().min(1).max(64), z.string().max(512))
    .refine((pairs) => Object.keys(pairs).length <= 16, "must have at most 16 members")
    .nullish(),
  output_expires_after: expiry,
});

type BatchBody = z.output<typeof batchBody>;

const id = z.object({ id: z.string().describe("The id of the batch.") });

const secondsOf = (ms: number | undefined): number | null => (ms === undefined ? null : toSeconds(ms));

type Status = z.output<typeof batchObject>["status"];

/** The states of batches, by the words of the surface. */
export const STATES: Readonly<Record<Status, BatchState>> = {
  validating: "reading",
  in_progress: "running",
  finalizing: "writing",
  cancelling: "cancelling",
  completed: "completed",
  failed: "failed",
  expired: "expired",
  cancelled: "cancelled",
};
const statuses = new Map<string, string>(Object.entries(STATES).map(([status, state]) => [state, status]));

/** The status of a batch in the words of its surface. */
export const statusOf = ({ phase, outcome, cancellingAt }: Batch): string =>
  statuses.get(outcome ?? (cancellingAt === undefined ? phase : "cancelling")) ?? phase;

function batchOf({ batch, counts }: BatchView): JsonObject {
  const { outcome, endedAt, terms, error, total } = batch;
  const { window = "24h", metadata = null } = terms as unknown as BatchTerms;
  const atEnd = (of: BatchOutcome): number | null => (outcome === of ? secondsOf(endedAt) : null);
  return {
    ...{ id: batch.id, object: "batch", endpoint: batch.endpoint },
    errors: error ? { object: "list", data: [{ ...error, param: null, line: null }] } : null,
    input_file_id: batch.input,
    completion_window: window,
    status: statusOf(batch),
    output_file_id: batch.output ?? null,
    error_file_id: batch.errors ?? null,
    created_at: secondsOf(batch.createdAt),
    expires_at: secondsOf(batch.expiresAt),
    in_progress_at: secondsOf(batch.runningAt),
    finalizing_at: secondsOf(batch.writingAt),
    completed_at: atEnd("completed"),
    failed_at: atEnd("failed"),
    expired_at: atEnd("expired"),
    cancelling_at: secondsOf(batch.cancellingAt),
    cancelled_at: atEnd("cancelled"),
    request_counts: { total, completed: counts.succeeded, failed: counts.errored },
    metadata,
  };
}

/** Begins a batch of a file of the caller's. Throws a 400 that names the member at fault. */
export async function beginOf(
  context: Context<BatchService>,
  { input_file_id: input, endpoint, completion_window: window, metadata, ...more }: BatchBody,
): Promise<Batch> {
  const { endpointsOf, limits } = batchesOf(context.services);
  const endpoints = endpointsOf(context.surface.name);
  if (!endpoints.includes(endpoint))
    throw new Refusal(
      "invalid_request",
      `endpoint: ${quote(endpoint)} is not accepted; it must be one of ${endpoints.map(quote).join(", ")}.`,
      { param: "endpoint" },
    );
  const duration = Number.parseInt(window, 10) * HOUR;
  if (duration > limits.window.longest)
    throw new Refusal(
      "invalid_request",
      `completion_window: ${quote(window)} is longer than '${limits.window.longest / HOUR}h'.`,
      { param: "completion_window" },
    );
  const file = await findFile(context, input);
  if (file?.purpose !== INPUT) throw fileNotFound(input, "input_file_id");
  const retention = more.output_expires_after ? more.output_expires_after.seconds * 1_000 : undefined;
  const terms = { window, ...(metadata && { metadata }), ...(retention !== undefined && { retention }) };
  return beginBatch(context, { prefix: BATCH_PREFIX, input, endpoint, duration, terms });
}

/** Routes for batches on the chat-style surface. */
export const chatBatchRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/v1/batches",
    access: "key",
    summary: "Begin a batch",
    begins: BATCH_PREFIX,
    about:
      "Each line of the file is a request to the same endpoint. They are run by the key that begins the batch, within its limits, and charged one by one.",
    body: batchBody.meta({ id: "BatchRequest" }),
    answer: batchObject,
    uses: batchServices,
    async handler(context, { body }) {
      const batch = await beginOf(context, body);
      return { body: batchOf(await viewOf(context, batch)) };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/batches",
    access: "key",
    summary: "List the batches of the account",
    query: z.object({
      limit: whole(1, 100, 20),
      after: z.string().max(512).optional().describe("The id of the last batch of the previous page."),
    }),
    answer: z.looseObject({ object: z.literal("list"), data: z.array(batchObject), has_more: z.boolean() }),
    examples: { first: {} },
    uses: ["batches", "now", "store"],
    async handler(context, { query }) {
      const { views, hasMore } = await listBatches(context, query);
      const data = views.map(batchOf);
      return { body: { object: "list", data, ...endsOf(data), has_more: hasMore } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/batches/:id",
    access: "key",
    summary: "Get a batch",
    params: id,
    answer: batchObject,
    uses: ["batches", "now", "store"],
    handler: async (context, { params }) => ({
      body: batchOf(await viewOf(context, await readBatch(context, params.id))),
    }),
  }),
  defineRoute({
    method: "POST",
    path: "/v1/batches/:id/cancel",
    access: "key",
    summary: "Cancel a batch",
    about:
      "No further line is begun. Lines that are running come to their end, and are charged. A provider that runs lines as a batch of its own is asked to cancel it, and what it has done by then is charged.",
    params: id,
    answer: batchObject,
    uses: ["batches", "now", "store"],
    handler: async (context, { params }) => ({ body: batchOf(await cancelBatch(context, params.id)) }),
  }),
];
