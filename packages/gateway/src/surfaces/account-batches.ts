import type { JsonObject } from "@manifold-gateway/core/codec";
import { z } from "zod";
import { whole } from "../account/paging.ts";
import { type BatchView, cancelBatch, listBatches, readBatch, viewOf } from "../batches/read-batch.ts";
import { batchServices } from "../batches/services.ts";
import { momentOf } from "../http/moments.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { mediaOf } from "../media/media.ts";
import type { BatchTerms } from "../ports/batches.ts";
import type { Context } from "../ports/context.ts";
import { defineRoute, type Route } from "../route.ts";
import { BATCH_PREFIX, batchBody, beginOf, statusOf } from "./batches.ts";
import { chatSurface } from "./chatstyle.ts";
import { accountBatch, listedBatch } from "./shapes/batches.ts";

/** The lifetime of links to files, in milliseconds. */
const LINK = 3_600_000;

const services = ["batches", "media", "now", "store"] as const;
type Deps = Context<(typeof services)[number]>;

/** The account's interface shows the batches of every surface. */
const ofAll = ({ services, caller }: Deps) => ({ services, caller });

/** A batch of a list, of the account or of all. */
export const toListedBatch = ({ batch, counts }: BatchView): JsonObject => {
  const { cancellingAt, endedAt, error } = batch;
  const { metadata } = batch.terms as unknown as BatchTerms;
  return {
    id: batch.id,
    surface: batch.surface,
    endpoint: batch.endpoint,
    status: statusOf(batch),
    apiKeyId: batch.keyId,
    lines: {
      total: batch.total,
      waiting: counts.waiting,
      running: counts.sent,
      succeeded: counts.succeeded,
      failed: counts.errored,
      dropped: counts.cancelled + counts.expired,
    },
    ...(error && { error: { code: String(error.code), message: String(error.message) } }),
    ...(metadata && { metadata }),
    createdAt: momentOf(batch.createdAt),
    expiresAt: momentOf(batch.expiresAt),
    ...(cancellingAt !== undefined && { cancellingAt: momentOf(cancellingAt) }),
    ...(endedAt !== undefined && { endedAt: momentOf(endedAt) }),
  };
};

/** A batch with links to those of its files that are stored. */
async function withFiles({ services, caller }: Deps, view: BatchView): Promise<JsonObject> {
  const { objects } = mediaOf(services);
  const { input, output, errors } = view.batch;
  const expires = services.now() + LINK;
  const files = await Promise.all(
    Object.entries({ input, output, errors }).map(async ([use, id]) => {
      const file =
        id === undefined ? undefined : await services.store.files.get({ id, accountId: caller.accountId });
      if (!file || services.now() >= (file.expiresAt ?? Number.POSITIVE_INFINITY)) return [];
      const terms = { expires, mediaType: "application/jsonl", filename: file.name };
      const downloadUrl = await objects.link(file.key, terms);
      const until: JsonObject = file.expiresAt === undefined ? {} : { expiresAt: momentOf(file.expiresAt) };
      return [{ use, id: file.id, name: file.name, size: file.bytes, ...until, downloadUrl }];
    }),
  );
  return { ...toListedBatch(view), files: files.flat() };
}

/** Begins a batch as the chat-style surface does. The session names the key by which its lines are run. */
const beginRoute: Route = defineRoute({
  method: "POST",
  path: "/batches",
  access: "session",
  summary: "Begin a batch by a key of the account",
  begins: BATCH_PREFIX,
  about: "The body of `POST /api/chatstyle/v1/batches`, with the id of the key by which its lines are run.",
  body: batchBody.extend({
    apiKeyId: z.string().min(1).max(256).describe("The id of an active key of the account."),
  }),
  answer: accountBatch,
  uses: [...services, ...batchServices],
  async handler(context, { body: { apiKeyId, ...body } }) {
    const { accountId } = context.caller;
    const key = await context.services.store.keys.get({ id: apiKeyId, accountId });
    if (!key?.isActive)
      throw new Refusal("invalid_request", `apiKeyId: the account has no active key ${quote(apiKeyId)}.`, {
        param: "apiKeyId",
      });
    const caller = { ...context.caller, keyId: key.id };
    const batch = await beginOf({ ...context, caller, surface: chatSurface }, body);
    return { body: await withFiles(context, await viewOf(context, batch)) };
  },
});

type Read = (context: Deps, id: string) => Promise<BatchView>;

const row = (method: "GET" | "DELETE", summary: string, about: string, read: Read): Route =>
  defineRoute({
    method,
    path: "/batches/:batchId",
    access: "caller",
    summary,
    about,
    params: z.object({ batchId: z.string() }),
    answer: accountBatch,
    uses: services,
    handler: async (context, { params: { batchId } }) => ({
      body: await withFiles(context, await read(context, batchId)),
    }),
  });

/** Routes for the batches of an account, of all surfaces in one list. */
export const accountBatchRoutes: readonly Route[] = [
  beginRoute,
  defineRoute({
    method: "GET",
    path: "/batches",
    access: "caller",
    summary: "List the batches of all surfaces, newest first",
    query: z.object({
      limit: whole(1, 100, 20),
      after: z.string().max(512).optional().describe("The id of the last batch of the previous page."),
    }),
    answer: z.object({ results: z.array(listedBatch), hasMore: z.boolean() }),
    examples: { first: {} },
    uses: services,
    async handler(context, { query }) {
      const { views, hasMore } = await listBatches(ofAll(context), query);
      return { body: { results: views.map(toListedBatch), hasMore } };
    },
  }),
  row("GET", "Get a batch of any surface", "Every read returns new links.", async (context, id) =>
    viewOf(context, await readBatch(ofAll(context), id)),
  ),
  row(
    "DELETE",
    "Cancel a batch of any surface",
    "No further line is begun. Lines that are running come to their end, and are charged.",
    (context, id) => cancelBatch(ofAll(context), id),
  ),
];
