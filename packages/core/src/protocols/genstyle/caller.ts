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
    messages: ["contents"],
    name: ["inlineData/displayName", "fileData/displayName"],
    detail: ["mediaResolution"],
    "source/mediaType": [
      "inlineData/mimeType",
      "inline_data/mime_type",
      "fileData/mimeType",
      "file_data/mime_type",
    ],
    source: ["inlineData", "inline_data", "fileData", "file_data"],
    schema: ["parametersJsonSchema", "parameters"],
    arguments: ["functionCall/args", "function_call/args"],
    seal: ["thoughtSignature", "thought_signature"],
    parts: ["functionResponse/response", "functionResponse/parts"],
  },
  unfetched: defineUnfetched(
    ["contents", "code", "output", "displayName", "display_name", "systemInstruction", "system_instruction"],
    [
      "args",
      "response",
      "parameters",
      "parametersJsonSchema",
      "parameters_json_schema",
      "responseSchema",
      "response_schema",
      "responseJsonSchema",
      "response_json_schema",
      "labels",
      "partMetadata",
      "part_metadata",
    ],
    params,
  ),
  request: { schema, decode: decodeRequest },
  reply: { encode: encodeReply, tellsFaults: true, gather },
  frame: {
    ...base.frame,
    // Its SDKs for Go and Python fail at comments, and the one for Go at empty lines. A chunk without members is valid.
    keepAlive: writeFrame("{}"),
  },
  failure: { encode: encodeFailure },
};
