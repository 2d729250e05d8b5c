import type { CallerCodec } from "../../codec/caller-codec.ts";
import { DONE } from "../../codec/codec-base.ts";
import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { textOf, toObject } from "../../json/json.ts";
import { base } from "./base.ts";
import { decodeRequest } from "./decode-request.ts";
import { encodeFailure } from "./encode-failure.ts";
import { encodeReply } from "./encode-reply.ts";
import { gather } from "./gather.ts";
import { params } from "./params.ts";
import { type Body, type Chunk, schema, type Wire } from "./schema.ts";

/** The half of the codec that serves callers. */
export const caller: CallerCodec<Wire, Chunk, Body> = {
  ...base,
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
  request: { schema, decode: decodeRequest },
  reply: { encode: encodeReply, gather },
  frame: {
    ...base.frame,
    event: (chunk) => textOf(toObject(chunk).type),
    closing: DONE,
  },
  failure: { encode: encodeFailure },
};
