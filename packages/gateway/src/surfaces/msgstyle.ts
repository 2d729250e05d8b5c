import { embedCodecs, msgstyle } from "@manifold/core";
import type { Resolution } from "../catalog.ts";
import { readJson } from "../http/body.ts";
import { Refusal } from "../http/refusal.ts";
import { withIdempotency } from "../idempotency.ts";
import { maxOutputOf } from "../models.ts";
import type { Surface } from "../route.ts";
import { countTokens } from "../text/count.ts";
import { generateText } from "../text/generate.ts";
import { countHead, messagesHead, parse } from "./heads.ts";
import { createdOf, embeddings, listing, probe } from "./listing.ts";

/**
 * A conversation kept on the vendor's side cannot be continued elsewhere. Clients that know this refusal send
 * the whole conversation again.
 */
function refuseThread(thread: unknown): (resolution: Resolution) => void {
  return ({ protocol, model }) => {
    if (thread === undefined || thread === null || thread === false || protocol === msgstyle.protocol) return;
    throw new Refusal(400, `thread: the model '${model.id}' keeps no threads; send the whole conversation.`, {
      param: "thread",
      details: { error_code: "thread_unsupported_request", unsupported: ["thread"] },
    });
  };
}

/** The messages surface. */
export const messagesSurface: Surface = {
  name: "msgstyle",
  prefix: "/api/msgstyle",
  codec: msgstyle,
  routes: [
    probe,
    ...listing(
      "/v1/models",
      (model) => ({
        type: "model",
        display_name: model.name ?? model.id,
        created_at: new Date(createdOf(model) * 1000).toISOString(),
        ...(maxOutputOf(model) !== undefined && { max_tokens: maxOutputOf(model) as number }),
      }),
      (data) => ({
        data,
        has_more: false,
        first_id: data[0]?.id ?? null,
        last_id: data.at(-1)?.id ?? null,
      }),
    ),
    {
      method: "POST",
      path: "/v1/messages",
      access: "key",
      summary: "Message",
      async handler(context) {
        const body = await readJson(context.exchange);
        const { model, stream } = parse(messagesHead, body.value);
        const check = refuseThread(body.value.thread);
        const ask = { codec: msgstyle, body, model, stream: stream === true, check };
        return withIdempotency(context, body, () => generateText(context, ask));
      },
    },
    {
      method: "POST",
      path: "/v1/messages/count_tokens",
      access: "key",
      summary: "Count the input tokens of a message",
      async handler(context) {
        const body = await readJson(context.exchange);
        const { model } = parse(countHead, body.value);
        return countTokens(context, {
          codec: msgstyle,
          body,
          model,
          endpoint: () => "/messages/count_tokens",
          answer: (tokens) => ({ input_tokens: tokens }),
        });
      },
    },
    embeddings(embedCodecs.msgstyle),
  ],
};
