import { type Codec, DONE } from "../../codec/codec.ts";
import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { isObject } from "../../json/json.ts";
import { billing } from "./billing.ts";
import { burst, gather } from "./body.ts";
import { decodeReply } from "./decode.ts";
import { encodeReply } from "./encode.ts";
import { facts } from "./facts.ts";
import { decodeFailure, encodeFailure } from "./failure.ts";
import { params } from "./params.ts";
import { decodeRequest, encodeRequest } from "./request.ts";
import { type Body, type Chunk, schema, type Wire } from "./schema.ts";
import { summarize } from "./summary.ts";

export type { Body as ChatBody, Chunk as ChatChunk, Wire as ChatWire } from "./schema.ts";

/** Chat completions: one message a choice, replies as deltas of it. */
export const chatstyle: Codec<Wire, Chunk, Body> = {
  protocol: "chatstyle",
  params,
  billing,
  facts,
  members: {
    cache: ["cache_control"],
    developer: ["role"],
    detail: ["image_url/detail"],
    name: ["file/filename"],
    "source/mediaType": ["image_url/url", "input_audio/format", "file/file_data"],
    source: ["image_url", "input_audio", "file"],
    arguments: ["function/arguments", "custom/input"],
    schema: ["function/parameters", "parameters"],
    strict: ["function/strict"],
    "freeform/format": ["custom/format"],
    freeform: ["custom"],
    citations: ["annotations"],
    parts: ["content"],
  },
  unfetched: defineUnfetched(
    ["refusal", "reasoning", "reasoning_content", "summary", "arguments", "input", "definition", "filename"],
    ["parameters", "schema", "metadata", "annotations"],
    params,
  ),
  names: { pattern: /^[A-Za-z0-9_-]+$/, max: 64 },
  ids: { pattern: /^[!-~]+$/, max: 40 },
  freeform: true,
  // The older spellings: each server of this wire takes them, the newer ones only a few.
  defaults: { developer: false, freeform: false, toolSets: false, maxTokensField: "max_tokens" },
  endpoint: () => "/chat/completions",
  request: { schema, decode: decodeRequest, encode: encodeRequest },
  reply: {
    decode: decodeReply,
    encode: encodeReply,
    summary: summarize,
    burst,
    gather,
    // Most chunks say that they hold no usage and no end: only a count or a word in those members is one.
    marks: ['_tokens"', '"finish_reason":"', '"finish_reason": "', '"error"'],
    model: [["model"]],
    content: ["content", "refusal", "reasoning_content", "reasoning", "arguments", "input"],
  },
  frame: {
    last: (chunk) => chunk === DONE || (isObject(chunk) && Boolean(chunk.error)),
    closing: DONE,
    serviceFailure: true,
    dataOnly: true,
  },
  failure: { decode: decodeFailure, encode: encodeFailure },
};
