import {
  compact,
  defineUnfetched,
  isObject,
  type JsonObject,
  numberOf,
  toArray,
  toObject,
  toText,
} from "@manifold-gateway/core/codec";
import type { RerankCodec, RerankRequest } from "@manifold-gateway/core/rerank";
import { protocol } from "./wire.ts";

/** The AI SDK's interface of reranking models as the wire of a caller. Documents that are objects are compared as JSON. */
export const modelRerank: RerankCodec = {
  protocol,
  unfetched: defineUnfetched(["query"], ["documents"]),
  facts: { params: { topN: ["/topN"] }, others: ["query", "documents", "providerOptions"] },
  request: {
    // The AI SDK has checked the options.
    schema: {
      safeParse: (data: unknown) => ({ success: true, data }),
      parse: (data: unknown) => data,
    } as RerankCodec["request"]["schema"],
    decode: (wire) =>
      compact<RerankRequest>({
        model: toText(wire.model),
        query: toText(wire.query),
        documents: toArray(toObject(wire.documents).values).map((value) => ({
          text: isObject(value) ? JSON.stringify(value) : toText(value),
        })),
        topN: numberOf(wire.topN),
      }),
    encode: () => ({}),
  },
  reply: {
    decode: () => ({ results: [] }),
    encode: ({ results, model }, { topN }) =>
      ({
        ranking: results
          .toSorted((a, b) => b.score - a.score || a.index - b.index)
          .slice(0, topN)
          .map(({ index, score }) => ({ index, relevanceScore: score })),
        ...(model !== undefined && { modelId: model }),
      }) as JsonObject,
  },
};
