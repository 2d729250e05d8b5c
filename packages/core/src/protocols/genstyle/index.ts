import type { Codec } from "../../codec/codec.ts";
import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { isObject, type JsonObject, numberOf, toArray, toObject } from "../../json/json.ts";
import { writeFrame } from "../../stream/server-sent-events.ts";
import { billing } from "./billing.ts";
import { burst, gather } from "./body.ts";
import { decodeReply } from "./decode.ts";
import { encodeReply } from "./encode.ts";
import { facts } from "./facts.ts";
import { decodeFailure, encodeFailure, findError } from "./failure.ts";
import { params } from "./params.ts";
import { decodeRequest, encodeRequest } from "./request.ts";
import { type Body, type Chunk, schema, type Wire } from "./schema.ts";

export type { Body as GenBody, Chunk as GenChunk } from "./schema.ts";

/** Generate content: contents of parts, replies as whole responses that add up. */
export const genstyle: Codec<Wire, Chunk, Body> = {
  protocol: "genstyle",
  params,
  billing,
  facts,
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
  names: { pattern: /^[A-Za-z_][A-Za-z0-9_.:-]*$/, max: 128 },
  ids: { pattern: /^[!-~]+$/, max: 256 },
  freeform: false,
  endpoint: (model, stream) =>
    `/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  count: {
    endpoint: (model) => `/models/${model}:countTokens`,
    ask: (wire, model) => ({
      generateContentRequest: { ...(wire as JsonObject), model: `models/${model}` },
    }),
    read: ({ totalTokens }) => numberOf(totalTokens),
  },
  request: { schema, decode: decodeRequest, encode: encodeRequest },
  reply: {
    decode: decodeReply,
    encode: encodeReply,
    burst,
    gather,
    // Calls decide what the end means, so chunks with calls are parsed too.
    marks: ['"usageMetadata"', '"finishReason"', '"promptFeedback"', '"functionCall"', '"error"'],
    model: [["modelVersion"]],
    content: ["text"],
  },
  frame: {
    last: (chunk) =>
      findError(chunk) !== undefined ||
      (isObject(chunk) &&
        (Boolean(toObject(chunk.promptFeedback).blockReason) ||
          toArray(chunk.candidates).some((candidate) => Boolean(toObject(candidate).finishReason)))),
    // Candidates end one by one, and some servers send the finish reason with every chunk.
    more: true,
    // Its SDKs for Go and Python fail at comments, and the one for Go at empty lines. A chunk without members is valid.
    keepAlive: writeFrame("{}"),
  },
  failure: { decode: decodeFailure, encode: encodeFailure },
};
