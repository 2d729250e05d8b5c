import {
  type AnyCodec,
  chatstyle,
  type Edits,
  embedCodecs,
  isObject,
  type JsonObject,
  responses,
} from "@manifold/core";
import type { z } from "zod";
import { readJson } from "../http/body.ts";
import { withIdempotency } from "../idempotency.ts";
import type { Route, Surface } from "../route.ts";
import { generateText } from "../text/generate.ts";
import { chatHead, parse, responsesHead } from "./heads.ts";
import { createdOf, embeddings, listing, probe } from "./listing.ts";

/** Counts are what the service bills by, so every stream is asked for them. */
function streamEdits(value: JsonObject): Edits {
  if (value.stream !== true) return {};
  const options = isObject(value.stream_options) ? value.stream_options : {};
  return options.include_usage === true ? {} : { stream_options: { ...options, include_usage: true } };
}

const text = (
  path: string,
  summary: string,
  codec: AnyCodec,
  head: z.ZodType<{ model: string; stream?: boolean | null | undefined }>,
  more: { edits?: (value: JsonObject) => Edits; drop?: string[] } = {},
): Route => ({
  method: "POST",
  path,
  access: "key",
  summary,
  async handler(context) {
    const body = await readJson(context.exchange);
    const { model, stream } = parse(head, body.value);
    const edits = more.edits?.(body.value) ?? {};
    const ask = { codec, body, model, stream: stream === true, edits, drop: more.drop ?? [] };
    return withIdempotency(context, body, () => generateText(context, ask));
  },
});

/** The chat-completions surface, with the responses API of the same family. */
export const chatSurface: Surface = {
  name: "chatstyle",
  prefix: "/api/chatstyle",
  codec: chatstyle,
  routes: [
    probe,
    ...listing(
      "/v1/models",
      (model) => ({ object: "model", created: createdOf(model), owned_by: "manifold" }),
      (data) => ({ object: "list", data }),
    ),
    text("/v1/chat/completions", "Chat completion", chatstyle, chatHead, { edits: streamEdits }),
    // State on a provider's side means nothing to another provider.
    text("/v1/responses", "Response", responses, responsesHead, {
      drop: ["store", "reasoning", "include", "previous_response_id"],
    }),
    embeddings(embedCodecs.chatstyle),
  ],
};
