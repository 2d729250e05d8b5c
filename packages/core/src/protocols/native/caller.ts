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

/** The half of the codec that serves callers. */
export const caller: CallerCodec<Wire, Chunk, Body> = {
  ...base,
  members: { schema: ["parameters", "function/parameters"], strict: ["function/strict"] },
  unfetched: defineUnfetched([], ["parameters"], params),
  request: { schema, decode: decodeRequest },
  reply: { encode: encodeReply, tellsFaults: true, gather },
  frame: {
    ...base.frame,
    closing: DONE,
    serviceFailure: true,
  },
  failure: { encode: encodeFailure },
};
