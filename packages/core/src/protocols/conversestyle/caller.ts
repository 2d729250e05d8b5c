import type { CallerCodec } from "../../codec/caller-codec.ts";
import { defineUnfetched } from "../../codec/fetched-addresses.ts";
import { bothCasings } from "../../codec/snake-case.ts";
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
  request: { schema, decode: decodeRequest },
  reply: { encode: encodeReply, tellsFaults: true, gather },
  failure: { encode: encodeFailure },
};
