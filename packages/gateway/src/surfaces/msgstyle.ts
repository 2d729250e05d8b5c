import { msgstyle } from "@manifold-gateway/core";
import { embedCodecs } from "@manifold-gateway/core/operations";
import { countForms } from "@manifold-gateway/core/wire";
import { z } from "zod";
import { endsOf, someWhole } from "../account/paging.ts";
import { maxOutputOf } from "../catalog/model-listing.ts";
import { countServices, textServices } from "../generation/services.ts";
import { bodyLimits } from "../http/body.ts";
import { momentOf } from "../http/moments.ts";
import { Refusal } from "../http/refusal.ts";
import { documented } from "../openapi/request-schemas.ts";
import { defineRoute, type Surface } from "../route.ts";
import type { Resolution } from "../routing/candidate.ts";
import { countAbout, countLimits, countTokens } from "../text/count.ts";
import { generateText } from "../text/generate.ts";
import { embeddingsRoute } from "./embeddings.ts";
import { countHead, messagesHead } from "./heads.ts";
import { createdOf, listing, probe } from "./listing.ts";
import { messageBatchRoutes } from "./message-batches.ts";
import { modelEntry } from "./shapes/models.ts";
import { eventStream, message } from "./shapes/replies.ts";

/**
 * Refuses an entry that cannot continue a conversation stored at the vendor. Clients that know this refusal send the
 * whole conversation again.
 */
function refuseThread(thread: unknown): (resolution: Resolution) => void {
  return ({ protocol, model }) => {
    if (thread === undefined || thread === null || thread === false || protocol === msgstyle.protocol) return;
    throw new Refusal(
      "thread_unsupported",
      `thread: the model '${model.id}' stores no threads; send the whole conversation.`,
      {
        param: "thread",
        details: { error_code: "thread_unsupported_request", unsupported: ["thread"] },
      },
    );
  };
}

const model = modelEntry
  .extend({
    type: z.literal("model"),
    display_name: z.string(),
    created_at: z.iso.datetime(),
    max_tokens: z.int().optional().describe("The maximum number of output tokens."),
  })
  .meta({ id: "MessagesModel" });

const conversation = [{ role: "user", content: "Say hello." }];

/** The messages surface. */
export const messagesSurface: Surface = {
  name: "msgstyle",
  about: "Messages.",
  prefix: "/api/msgstyle",
  codec: msgstyle,
  requestHeader: "request-id",
  rates: {
    requests: [
      "anthropic-ratelimit-requests-limit",
      "anthropic-ratelimit-requests-remaining",
      "anthropic-ratelimit-requests-reset",
    ],
    tokens: [
      "anthropic-ratelimit-tokens-limit",
      "anthropic-ratelimit-tokens-remaining",
      "anthropic-ratelimit-tokens-reset",
    ],
    reset: "moment",
  },
  routes: [
    probe,
    ...listing({
      path: "/v1/models",
      query: z.object({
        limit: someWhole(1, 1_000).describe("The most models of a page. Default: all."),
        after_id: z.string().max(512).optional().describe("The id of the last model of the previous page."),
        before_id: z.string().max(512).optional().describe("The id of the first model of the next page."),
      }),
      page: ({ limit, after_id, before_id }) => ({
        limit,
        after: ["after_id", after_id],
        before: ["before_id", before_id],
      }),
      native: (model) => ({
        type: "model",
        display_name: model.name ?? model.id,
        created_at: momentOf(createdOf(model) * 1000),
        ...(maxOutputOf(model) !== undefined && { max_tokens: maxOutputOf(model) as number }),
      }),
      wrap: (data, hasMore) => ({ data, has_more: hasMore, ...endsOf(data) }),
      one: model,
      all: z.object({
        data: z.array(model),
        has_more: z.boolean(),
        first_id: z.string().nullable(),
        last_id: z.string().nullable(),
      }),
    }),
    defineRoute({
      method: "POST",
      path: "/v1/messages",
      access: "key",
      summary: "Create a message",
      body: messagesHead,
      wire: documented(msgstyle.request.schema, "MessageWire"),
      limits: bodyLimits,
      generates: true,
      explains: true,
      batched: true,
      answer: message,
      also: eventStream("an event of the message, as its `event` field names it"),
      examples: {
        whole: { body: { model: "sim-messages", max_tokens: 64, messages: conversation } },
        streamed: { body: { model: "sim-messages", max_tokens: 64, messages: conversation, stream: true } },
        translated: { body: { model: "sim-chat", max_tokens: 64, messages: conversation } },
      },
      uses: textServices,
      handler(context, { body: { model, stream }, json }) {
        const check = refuseThread(json.value.thread);
        const ask = { codec: msgstyle, body: json, model, stream: stream === true, check };
        return generateText(context, ask);
      },
    }),
    defineRoute({
      method: "POST",
      path: "/v1/messages/count_tokens",
      access: "key",
      summary: "Count the input tokens of a message",
      about: countAbout,
      body: countHead,
      limits: countLimits,
      rated: true,
      answer: z.looseObject({ input_tokens: z.int() }),
      examples: { one: { body: { model: "sim-messages", messages: conversation } } },
      uses: countServices,
      handler: (context, { body: { model }, json }) =>
        countTokens(context, {
          codec: msgstyle,
          body: json,
          model,
          ...countForms.msgstyle,
        }),
    }),
    ...messageBatchRoutes,
    embeddingsRoute(embedCodecs.msgstyle, "MultimodalEmbeddingsWire"),
  ],
};
