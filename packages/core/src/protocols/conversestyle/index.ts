import type { Codec } from "../../codec/codec.ts";
import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { bothCasings } from "../../codec/snake-case.ts";
import { isObject } from "../../json/json.ts";
import { billing } from "./billing.ts";
import { burst, gather } from "./body.ts";
import { decodeReply } from "./decode.ts";
import { encodeReply } from "./encode.ts";
import { facts } from "./facts.ts";
import { decodeFailure, encodeFailure, findException, isFailure } from "./failure.ts";
import { params } from "./params.ts";
import { decodeRequest, encodeRequest } from "./request.ts";
import { type Body, type Chunk, schema, type Wire } from "./schema.ts";

/**
 * The converse protocol: a model in the path, turns of blocks that one member names, and events that are streamed in
 * binary frames. A chunk here is a record with the event under the name of its type.
 */
export const conversestyle: Codec<Wire, Chunk, Body> = {
  protocol: "conversestyle",
  params,
  billing,
  facts,
  members: {
    name: ["document/name"],
    "source/mediaType": ["image/format", "document/format", "video/format", "audio/format"],
    source: ["image/source", "document/source", "video/source", "audio/source"],
    schema: ["toolSpec/inputSchema/json"],
    arguments: ["toolUse/input"],
    failed: ["toolResult/status"],
    seal: ["reasoningContent/reasoningText/signature", "reasoningContent/redactedContent"],
    parts: ["toolResult/content"],
  },
  unfetched: defineUnfetched(
    ["context", "bytes", "schema", "searchResult/source"],
    ["input", "inputSchema", "json", ...bothCasings(["requestMetadata"]), "citations", "promptVariables"],
    params,
  ),
  names: { pattern: /^[a-zA-Z0-9_-]+$/, max: 64 },
  ids: { pattern: /^[a-zA-Z0-9_-]+$/, max: 64 },
  freeform: false,
  // Most models behind the wire refuse what a few take, which have rows of their own.
  defaults: {
    midSystem: false,
    format: false,
    forcedChoice: false,
    choiceOfNone: false,
    resultMedia: ["image"],
    cacheMarks: false,
  },
  endpoint: (model, stream) => `/model/${model}/${stream ? "converse-stream" : "converse"}`,
  request: { schema, decode: decodeRequest, encode: encodeRequest },
  reply: {
    decode: decodeReply,
    encode: encodeReply,
    burst,
    gather,
    // Blocks begin and end seldom, and calls decide what the end means.
    marks: [
      '"messageStart"',
      '"contentBlockStart"',
      '"contentBlockStop"',
      '"messageStop"',
      '"metadata"',
      'Exception"',
      '"__type"',
    ],
    content: ["text", "input"],
  },
  frame: {
    last: (chunk) =>
      isObject(chunk) && (isObject(chunk.metadata) || findException(chunk) !== undefined || isFailure(chunk)),
  },
  failure: {
    header: { name: "x-amzn-errortype", member: "__type" },
    decode: decodeFailure,
    encode: encodeFailure,
  },
};
