import { countTokens, MEDIA_TOKENS } from "../../content/tokens.ts";
import { DEFAULT_DIMENSIONS, vectorOf } from "../../model/vector.ts";
import { Refusal } from "../../refusal.ts";
import type { Call, PlainAnswer } from "../protocol.ts";
import { badMedia, isMultimodal } from "./embed-rules.ts";
import { checked, mediaOf } from "./read.ts";
import { batchEmbedSchema, type EmbedRequest, embedSchema } from "./schema.ts";

interface Embedded {
  text: string;
  tokens: number;
  values: number[];
}

/** One content is one vector, whatever the number of its parts. */
function embedOne(request: EmbedRequest, call: Call): Embedded {
  const { model, content, outputDimensionality } = request;
  if (model !== undefined && model !== `models/${call.model}`)
    throw new Refusal(
      "invalid",
      `* EmbedContentRequest.model: unexpected model name format or other model: ${model}`,
      {
        field: "model",
      },
    );
  const parts = content.parts ?? [];
  if (parts.length === 0)
    throw new Refusal("invalid", "* EmbedContentRequest.content: contents is not specified", {
      field: "content",
    });
  const wrong = isMultimodal(call.model) ? badMedia(parts) : undefined;
  if (wrong) throw new Refusal("invalid", `* EmbedContentRequest.content: ${wrong}`, { field: "content" });
  const read = parts.map((part) => {
    if (part.text !== undefined) return { text: part.text, tokens: countTokens(part.text) };
    const media = mediaOf(part);
    if (!media || !isMultimodal(call.model))
      throw new Refusal("invalid", `* EmbedContentRequest.content: ${call.model} embeds text only.`, {
        field: "content",
      });
    return { text: part.inlineData?.data ?? media.label, tokens: MEDIA_TOKENS[media.kind] };
  });
  const text = read.map((one) => one.text).join("\n");
  return {
    text,
    tokens: read.reduce((sum, one) => sum + one.tokens, 0),
    values: vectorOf(text, outputDimensionality ?? DEFAULT_DIMENSIONS),
  };
}

/** This protocol reports no usage for embeddings; the ledger has it. */
export function embed(input: unknown, call: Call): PlainAnswer {
  const { text, tokens, values } = embedOne(checked(embedSchema, input), call);
  return { text, input: tokens, write: () => ({ embedding: { values } }) };
}

export function batchEmbed(input: unknown, call: Call): PlainAnswer {
  const all = checked(batchEmbedSchema, input).requests.map((request, index) => {
    if (request.model === undefined)
      throw new Refusal(
        "invalid",
        `* BatchEmbedContentsRequest.requests[${index}].model: unexpected model name format`,
        {
          field: `requests[${index}].model`,
        },
      );
    return embedOne(request, call);
  });
  return {
    text: all.map(({ text }) => text).join("\n"),
    input: all.reduce((sum, { tokens }) => sum + tokens, 0),
    write: () => ({ embeddings: all.map(({ values }) => ({ values })) }),
  };
}
