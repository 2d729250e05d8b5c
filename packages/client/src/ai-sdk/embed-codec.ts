import {
  compact,
  defineUnfetched,
  type JsonObject,
  numberOf,
  toArray,
  toText,
} from "@manifold-gateway/core/codec";
import type { EmbedCodec } from "@manifold-gateway/core/embeddings";
import { NAMESPACE, protocol } from "./wire.ts";

/** The AI SDK's interface of embedding models as the wire of a caller. */
export const modelEmbed: EmbedCodec = {
  protocol,
  most: Number.POSITIVE_INFINITY,
  tokens: false,
  urls: [],
  unfetched: defineUnfetched(["values"], []),
  facts: { params: { dimensions: ["/dimensions"] }, others: ["values", "providerOptions"] },
  request: {
    // The AI SDK has checked the options.
    schema: {
      safeParse: (data: unknown) => ({ success: true, data }),
      parse: (data: unknown) => data,
    } as EmbedCodec["request"]["schema"],
    decode: (wire, trace) => ({
      model: toText(wire.model),
      inputs: toArray(wire.values).map((text, i) => {
        const input = { parts: [{ type: "text" as const, text: toText(text) }] };
        trace?.(input, `/values/${i}`);
        return input;
      }),
      batch: true,
      ...(compact({ dimensions: numberOf(wire.dimensions) }) as { dimensions?: number }),
    }),
    encode: () => ({}),
  },
  reply: {
    decode: () => ({ vectors: [] }),
    encode: ({ vectors, usage, model }) =>
      ({
        embeddings: vectors,
        ...(usage && { usage: { tokens: usage.input } }),
        ...(model !== undefined && { providerMetadata: { [NAMESPACE]: { model } } }),
      }) as JsonObject,
  },
};
