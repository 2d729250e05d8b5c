import type { CallerCodec } from "../../codec/caller-codec.ts";
import { DONE } from "../../codec/codec-base.ts";
import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { base } from "./base.ts";
import { decodeRequest } from "./decode-request.ts";
import { encodeFailure } from "./encode-failure.ts";
import { encodeReply } from "./encode-reply.ts";
import { gather } from "./gather.ts";
import { params } from "./params.ts";
import { type Body, type Chunk, schema, type Wire } from "./schema.ts";
import { plainReasoning } from "./thoughts.ts";

/** The half of the codec that serves callers. */
export const caller: CallerCodec<Wire, Chunk, Body> = {
  ...base,
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
    ["refusal", ...plainReasoning, "summary", "arguments", "input", "definition", "filename"],
    ["parameters", "schema", "metadata", "annotations"],
    params,
  ),
  request: { schema, decode: decodeRequest },
  reply: { encode: encodeReply, gather },
  frame: {
    ...base.frame,
    closing: DONE,
    serviceFailure: true,
    dataOnly: true,
  },
  failure: { encode: encodeFailure },
};
