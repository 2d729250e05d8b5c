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

export type { Chunk as NativeChunk } from "./schema.ts";

/** The service's own text wire: plain text in, streamed text out. */
export const native: Codec<Wire, Chunk, Body> = {
  protocol: "native",
  params,
  billing,
  facts,
  members: { schema: ["parameters", "function/parameters"], strict: ["function/strict"] },
  unfetched: defineUnfetched([], ["parameters"], params),
  names: { pattern: /^[A-Za-z0-9_-]+$/, max: 64 },
  ids: { pattern: /^[!-~]+$/, max: 64 },
  freeform: false,
  endpoint: () => "/text/completions",
  request: { schema, decode: decodeRequest, encode: encodeRequest },
  reply: {
    decode: decodeReply,
    encode: encodeReply,
    burst,
    gather,
    marks: ['"finishReason"', '"usage"', '"error"'],
    content: ["delta"],
  },
  frame: {
    last: (chunk) => chunk === DONE || (isObject(chunk) && Boolean(chunk.error)),
    closing: DONE,
    serviceFailure: true,
  },
  failure: { decode: decodeFailure, encode: encodeFailure },
};
