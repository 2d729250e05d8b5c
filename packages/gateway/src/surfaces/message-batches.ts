import type { JsonObject } from "@manifold-gateway/core/codec";
import { z } from "zod";
import { endsOf, whole } from "../account/paging.ts";
import { beginBatch } from "../batches/begin-batch.ts";
import { dropFile, keepFile } from "../batches/keep-file.ts";
import { type BatchView, cancelBatch, listBatches, readBatch, viewOf } from "../batches/read-batch.ts";
import { CUSTOM_ID, isCustomId } from "../batches/read-line.ts";
import { removeBatch } from "../batches/remove-batch.ts";
import { batchesOf, batchServices } from "../batches/services.ts";
import { type BodyLimits, bodyLimits } from "../http/body.ts";
import { momentOf } from "../http/moments.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { sendObject } from "../media/send-object.ts";
import type { Context } from "../ports/context.ts";
import { defineRoute, type Route } from "../route.ts";
import { addressOf } from "./service-address.ts";
import { messageBatch } from "./shapes/batches.ts";

/** Many requests at once: more text and values than one request has. */
const limits: BodyLimits = { ...bodyLimits, text: 16 * 1024 * 1024, values: 1_000_000 };
const MOST = 10_000;
const ENDPOINT = "/v1/messages";
/** What the ids of its batches begin with. */
const PREFIX = "msgbatch_";

const requests = z
  .array(
    z.object({
      custom_id: z
        .string()
        .min(1)
        .max(512)
        .refine(isCustomId, `must be ${CUSTOM_ID}`)
        .describe("The caller's name of the request, once in a batch."),
      params: z.looseObject({}, "must be the members of a message's request"),
    }),
  )
  .min(1)
  .max(MOST)
  .superRefine((list, check) => {
    const seen = new Set<string>();
    for (const [at, { custom_id: name }] of list.entries()) {
      if (seen.has(name))
        check.addIssue({ code: "custom", path: [at, "custom_id"], message: `${quote(name)} occurs twice` });
      seen.add(name);
    }
  });

const id = z.object({ id: z.string().describe("The id of the batch.") });

const toMoment = (ms: number | undefined): string | null => (ms === undefined ? null : momentOf(ms));

function statusOf({ batch: { endedAt, cancellingAt } }: BatchView): string {
  if (endedAt !== undefined) return "ended";
  return cancellingAt === undefined ? "in_progress" : "canceling";
}

function batchOf(context: Context<"base" | "batches" | "now">, view: BatchView): JsonObject {
  const { batch, counts } = view;
  const { id, total, endedAt } = batch;
  const { succeeded, errored, cancelled: canceled, expired } = counts;
  const { services } = context;
  const until = endedAt === undefined ? undefined : endedAt + batchesOf(services).limits.retention;
  const isArchived = until !== undefined && services.now() >= until;
  const isReadable = batch.output !== undefined && !isArchived;
  const url = `${addressOf(context)}/api/msgstyle/v1/messages/batches/${id}/results`;
  return {
    ...{ id, type: "message_batch", processing_status: statusOf(view) },
    request_counts: {
      // Until the lines are read, their number is not known.
      processing: endedAt === undefined ? Math.max(total, 1) - succeeded - errored - canceled - expired : 0,
      ...{ succeeded, errored, canceled, expired },
    },
    created_at: toMoment(batch.createdAt),
    expires_at: toMoment(batch.expiresAt),
    ended_at: toMoment(endedAt),
    cancel_initiated_at: toMoment(batch.cancellingAt),
    archived_at: isArchived ? toMoment(until) : null,
    results_url: isReadable ? url : null,
  };
}

/** Routes for batches on the messages surface. */
export const messageBatchRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/v1/messages/batches",
    access: "key",
    summary: "Begin a batch of messages",
    begins: PREFIX,
    about:
      "The requests are run by the key that begins the batch, within its limits, and charged one by one. A day later no further one is begun.",
    body: z.object({ requests }).meta({ id: "MessageBatchRequest" }),
    limits,
    answer: messageBatch,
    examples: {
      one: {
        body: {
          requests: [
            {
              custom_id: "a",
              params: {
                model: "sim-messages",
                max_tokens: 64,
                messages: [{ role: "user", content: "Say hello." }],
              },
            },
          ],
        },
      },
    },
    uses: [...batchServices, "base"],
    async handler(context, { body: { requests } }) {
      const { usual } = batchesOf(context.services).limits.window;
      const lines = requests.map((request) => `${JSON.stringify(request)}\n`);
      const file = await keepFile(context, Buffer.from(lines.join("")), {
        ...{ purpose: "message_requests", name: "requests.jsonl" },
      });
      try {
        const request = {
          prefix: PREFIX,
          input: file.id,
          endpoint: ENDPOINT,
          duration: usual,
          terms: {},
        };
        const batch = await beginBatch(context, request);
        const view = await viewOf(context, batch);
        return { body: batchOf(context, { ...view, batch: { ...batch, total: requests.length } }) };
      } catch (error) {
        if (error instanceof Refusal) await dropFile(context, file);
        throw error;
      }
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/messages/batches",
    access: "key",
    summary: "List the batches of messages",
    query: z.object({
      limit: whole(1, 1_000, 20),
      after_id: z.string().max(512).optional().describe("The id of the last batch of the previous page."),
      before_id: z.string().max(512).optional().describe("The id of the first batch of the next page."),
    }),
    answer: z.object({
      data: z.array(messageBatch),
      has_more: z.boolean(),
      first_id: z.string().nullable(),
      last_id: z.string().nullable(),
    }),
    examples: { first: {} },
    uses: ["base", "batches", "now", "store"],
    async handler(context, { query: { limit, after_id: after, before_id: before } }) {
      const names = { after: "after_id", before: "before_id" };
      const { views, hasMore } = await listBatches(context, { limit, after, before }, names);
      const data = views.map((view) => batchOf(context, view));
      return { body: { data, has_more: hasMore, ...endsOf(data) } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/messages/batches/:id",
    access: "key",
    summary: "Get a batch of messages",
    params: id,
    answer: messageBatch,
    uses: ["base", "batches", "now", "store"],
    handler: async (context, { params }) => ({
      body: batchOf(context, await viewOf(context, await readBatch(context, params.id))),
    }),
  }),
  defineRoute({
    method: "POST",
    path: "/v1/messages/batches/:id/cancel",
    access: "key",
    summary: "Cancel a batch of messages",
    about:
      "No further request is begun. Those that are running come to their end, and are charged. A provider that runs requests as a batch of its own is asked to cancel it, and what it has done by then is charged.",
    params: id,
    answer: messageBatch,
    uses: ["base", "batches", "now", "store"],
    handler: async (context, { params }) => ({
      body: batchOf(context, await cancelBatch(context, params.id)),
    }),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/messages/batches/:id/results",
    access: "key",
    summary: "Get the results of a batch of messages",
    params: id,
    also: {
      "application/x-jsonl": z.string().describe("A line for each request, with its `custom_id`."),
    },
    uses: ["batches", "media", "now", "store"],
    async handler(context, { params }) {
      const { services, caller } = context;
      const { endedAt, output } = await readBatch(context, params.id);
      if (endedAt === undefined) throw stillRunning(params.id);
      const { accountId } = caller;
      const file =
        output === undefined ? undefined : await services.store.files.get({ id: output, accountId });
      if (!file) throw new Refusal("output_not_found", "The results of the batch have expired.");
      return sendObject(context, file.key, { mediaType: "application/x-jsonl", filename: file.name });
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/v1/messages/batches/:id",
    access: "key",
    summary: "Remove a batch of messages",
    about: "Only a batch that has ended; its results go with it.",
    params: id,
    answer: z.object({ id: z.string(), type: z.literal("message_batch_deleted") }),
    uses: ["batches", "media", "now", "store"],
    async handler(context, { params }) {
      const batch = await readBatch(context, params.id);
      if (batch.endedAt === undefined || !(await removeBatch(context, batch))) throw stillRunning(params.id);
      return { body: { id: params.id, type: "message_batch_deleted" } };
    },
  }),
];

const stillRunning = (id: string): Refusal =>
  new Refusal("batch_running", `The batch ${quote(id)} has not ended: cancel it, or wait for its end.`, {
    headers: { "retry-after": "1" },
  });
