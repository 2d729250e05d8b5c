import { type Codec, DONE } from "../../codec/codec.ts";
import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { isObject, type JsonObject, numberOf, pick, textOf, toObject, toText } from "../../json/json.ts";
import { billing } from "./billing.ts";
import { burst, gather } from "./body.ts";
import { decodeReply } from "./decode.ts";
import { encodeReply } from "./encode.ts";
import { facts } from "./facts.ts";
import { decodeFailure, encodeFailure } from "./failure.ts";
import { params } from "./params.ts";
import { decodeRequest, encodeRequest } from "./request.ts";
import { type Body, type Chunk, schema, type Wire } from "./schema.ts";

/** Chunks that end a reply. */
const last = new Set([
  "response.completed",
  "response.incomplete",
  "response.failed",
  "response.cancelled",
  "error",
]);

/** Responses: a conversation of typed items, replies as items that grow. */
export const responses: Codec<Wire, Chunk, Body> = {
  protocol: "responses",
  params,
  billing,
  facts,
  members: {
    messages: ["input"],
    cache: ["prompt_cache_breakpoint"],
    developer: ["role"],
    name: ["filename"],
    "source/mediaType": ["image_url", "file_data", "file_url", "input_audio/format"],
    source: ["image_url", "file_data", "file_url", "file_id", "input_audio"],
    schema: ["parameters"],
    arguments: ["input"],
    "freeform/format": ["format"],
    citations: ["annotations"],
    seal: ["encrypted_content"],
    parts: ["output", "content"],
  },
  unfetched: defineUnfetched(
    ["instructions", "input", "output", "arguments", "refusal", "definition", "code", "logs", "filename"],
    ["parameters", "schema", "metadata", "annotations", "action", "results"],
    params,
  ),
  names: { pattern: /^[A-Za-z0-9_-]+$/, max: 64 },
  ids: { pattern: /^[!-~]+$/, max: 64 },
  freeform: true,
  endpoint: () => "/responses",
  count: {
    endpoint: () => "/responses/input_tokens",
    ask: (wire) =>
      pick(wire as JsonObject, [
        "model",
        "input",
        "instructions",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "text",
        "reasoning",
      ]),
    read: ({ input_tokens }) => numberOf(input_tokens),
  },
  request: { schema, decode: decodeRequest, encode: encodeRequest },
  reply: {
    decode: decodeReply,
    encode: encodeReply,
    burst,
    gather,
    marks: ["response.completed", "response.incomplete", "response.failed", "response.cancelled", '"error"'],
    model: [["model"], ["response", "model"]],
    content: ["delta"],
    repeats: true,
  },
  frame: {
    event: (chunk) => textOf(toObject(chunk).type),
    last: (chunk) =>
      chunk === DONE || (isObject(chunk) && (last.has(toText(chunk.type)) || Boolean(chunk.error))),
    closing: DONE,
  },
  failure: { decode: decodeFailure, encode: encodeFailure },
};
