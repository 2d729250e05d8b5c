import type { CallerCodec } from "@manifold-gateway/core";
import { defineUnfetched, type JsonObject, toObject, toText } from "@manifold-gateway/core/codec";
import { gather } from "./gather.ts";
import { encodeReply, errorOf } from "./reply.ts";
import { decodeRequest, params } from "./request.ts";
import { type Body, protocol } from "./wire.ts";

/** The AI SDK's interface of language models as the protocol of a caller; no provider speaks it. */
export const modelstyle: CallerCodec<JsonObject, JsonObject, Body> = {
  protocol,
  params,
  members: {
    schema: ["inputSchema"],
    parts: ["content", "output/value"],
    arguments: ["input"],
    cache: ["providerOptions"],
    source: ["data"],
  },
  facts: {
    letter: "m",
    system: [],
    turns: ["prompt"],
    bound: [],
    files: {},
    mediaTypes: ["mediaType"],
    pictures: [],
    toolData: ["inputSchema", "schema"],
    toolValues: {},
    essential: [],
    spellings: {
      tools: ["tools"],
      toolChoice: ["toolChoice"],
      parallelToolCalls: ["providerOptions.manifold.parallelToolCalls"],
      responseFormat: ["responseFormat"],
      reasoningEffort: ["reasoning"],
      thinking: ["reasoning"],
      "thinking.budgetTokens": ["providerOptions.manifold.reasoning.budget"],
    },
  },
  unfetched: defineUnfetched([], ["inputSchema", "schema", "input"], params),
  request: {
    // The AI SDK has checked the options, and the decoder reads mistyped ones as far as they go.
    schema: {
      safeParse: (data) => ({ success: true, data: data as JsonObject }),
      parse: (data) => data as JsonObject,
    },
    decode: decodeRequest,
  },
  reply: { encode: encodeReply, gather },
  frame: { last: (chunk) => ["finish", "error"].includes(toText(toObject(chunk).type)) },
  failure: {
    encode: (failure) => ({ status: failure.status, body: { error: errorOf(failure) } }),
  },
};
