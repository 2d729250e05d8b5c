import type { CallerCodec } from "../../codec/caller-codec.ts";
import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { writeFrame } from "../../stream/write-frame.ts";
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
  request: { schema, decode: decodeRequest },
  reply: { encode: encodeReply, gather },
  frame: {
    ...base.frame,
    event: (chunk) => chunk.type,
    keepAlive: writeFrame('{"type": "ping"}', "ping"),
  },
  failure: { encode: encodeFailure },
};
