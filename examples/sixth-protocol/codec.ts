import type { Codec } from "@manifold-gateway/core";
import { defineUnfetched, isObject, kindOfStatus, textOf, toObject } from "@manifold-gateway/core/codec";
import { burst, gather } from "./body.ts";
import { decodeReply } from "./decode.ts";
import { encodeReply } from "./encode.ts";
import { params } from "./params.ts";
import { decodeRequest, encodeRequest } from "./request.ts";
import { type Body, type Chunk, protocol, schema, type Wire } from "./schema.ts";

/** Blocks: text and calls of functions, and replies whose chunks say their type. */
export const blockstyle: Codec<Wire, Chunk, Body> = {
  protocol,
  params,
  members: {
    arguments: ["function/arguments"],
    schema: ["function/parameters"],
    parts: ["content"],
  },
  // Every member that its vendor documents, so that what it may bill is known; it bills tokens alone.
  billing: {
    members: Object.keys(schema.shape),
    limits: [["max_tokens"]],
    alternatives: [],
    modes: {},
    tools: [[/^function$/, "free"]],
    ids: [],
    billed: () => undefined,
  },
  facts: {
    letter: "b",
    system: [],
    turns: ["messages"],
    bound: [],
    files: {},
    mediaTypes: [],
    pictures: [],
    toolData: ["arguments", "parameters", "json_schema"],
    toolValues: {},
    essential: [],
    spellings: {
      tools: ["tools"],
      toolChoice: ["tool_choice"],
      responseFormat: ["response_format"],
    },
  },
  unfetched: defineUnfetched(["arguments", "stop_sequences"], ["parameters", "json_schema"]),
  names: { pattern: /^[A-Za-z0-9_-]+$/, max: 64 },
  ids: { pattern: /^[!-~]+$/, max: 64 },
  freeform: false,
  endpoint: () => "/chat",
  request: { schema, decode: decodeRequest, encode: encodeRequest },
  reply: {
    decode: decodeReply,
    encode: encodeReply,
    burst,
    gather,
    marks: ['"message-end"'],
    content: ["text", "arguments"],
  },
  frame: {
    event: (chunk) => textOf(chunk.type),
    last: (chunk) => isObject(chunk) && chunk.type === "message-end",
  },
  failure: {
    decode: (status, body) => ({
      kind: kindOfStatus(status),
      status,
      message: textOf(toObject(body).message) ?? `The provider returned status ${status}.`,
      ...(isObject(body) && { raw: { protocol, value: body } }),
    }),
    encode: ({ status, message, raw }) => ({
      status,
      body: raw?.protocol === protocol ? raw.value : { message },
    }),
  },
};
