import type { Codec } from "../../codec/codec.ts";
import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { isObject, type JsonObject, numberOf, pick } from "../../json/json.ts";
import { writeFrame } from "../../stream/server-sent-events.ts";
import { billing } from "./billing.ts";
import { burst, gather } from "./body.ts";
import { decodeReply } from "./decode.ts";
import { encodeReply } from "./encode.ts";
import { facts } from "./facts.ts";
import { decodeFailure, encodeFailure } from "./failure.ts";
import { params } from "./params.ts";
import { decodeRequest, encodeRequest } from "./request.ts";
import { type Body, type Chunk, schema, type Wire } from "./schema.ts";

/** The messages protocol: a system prompt, turns of content blocks, and blocks that are streamed one by one. */
export const msgstyle: Codec<Wire, Chunk, Body> = {
  protocol: "msgstyle",
  params,
  billing,
  facts,
  members: {
    cache: ["cache_control"],
    name: ["title"],
    "source/mediaType": ["source/media_type"],
    schema: ["input_schema"],
    arguments: ["input"],
    failed: ["is_error"],
    seal: ["signature"],
    parts: ["content"],
  },
  unfetched: defineUnfetched(
    ["system", "thinking", "context", "data", "stdout", "stderr", "content/source"],
    ["input", "input_schema", "schema", "metadata", "citations"],
    params,
  ),
  names: { pattern: /^[a-zA-Z0-9_-]+$/, max: 128 },
  ids: { pattern: /^[a-zA-Z0-9_-]+$/, max: 512 },
  freeform: false,
  defaults: { midSystem: "afterUser" },
  endpoint: () => "/messages",
  count: {
    endpoint: () => "/messages/count_tokens",
    // The endpoint refuses what only an answer needs.
    ask: (wire) =>
      pick(wire as JsonObject, [
        "model",
        "messages",
        "system",
        "tools",
        "tool_choice",
        "thinking",
        "output_config",
        "mcp_servers",
      ]),
    read: ({ input_tokens }) => numberOf(input_tokens),
  },
  request: { schema, decode: decodeRequest, encode: encodeRequest },
  reply: {
    decode: decodeReply,
    encode: encodeReply,
    burst,
    gather,
    // Blocks begin and end seldom, and a call may come whole in its start.
    marks: [
      '"message_start"',
      '"content_block_start"',
      '"content_block_stop"',
      '"message_delta"',
      '"message_stop"',
      '"error"',
    ],
    model: [["model"], ["message", "model"]],
    content: ["text", "thinking", "partial_json"],
  },
  frame: {
    event: (chunk) => chunk.type,
    last: (chunk) => isObject(chunk) && (chunk.type === "message_stop" || chunk.type === "error"),
    keepAlive: writeFrame('{"type": "ping"}', "ping"),
  },
  failure: { decode: decodeFailure, encode: encodeFailure },
};

export type { Body as MessagesBody, Chunk as MessagesChunk } from "./schema.ts";
