import type { CallerCodec } from "../../codec/caller-codec.ts";
import { DONE } from "../../codec/codec-base.ts";
import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { base } from "./base.ts";
import { gather } from "./body.ts";
import { encodeReply } from "./encode.ts";
import { encodeFailure } from "./failure.ts";
import { params } from "./params.ts";
import { decodeRequest } from "./request.ts";
import { type Body, type Chunk, schema, type Wire } from "./schema.ts";

/** The half of the codec that serves callers. */
export const caller: CallerCodec<Wire, Chunk, Body> = {
  ...base,
  members: { schema: ["parameters", "function/parameters"], strict: ["function/strict"] },
  unfetched: defineUnfetched([], ["parameters"], params),
  request: { schema, decode: decodeRequest },
  reply: { encode: encodeReply, gather },
  frame: {
    ...base.frame,
    closing: DONE,
    serviceFailure: true,
  },
  failure: { encode: encodeFailure },
};
