export { type Codec, DONE, type Head } from "./codec/codec.ts";
export type { Failure, FailureKind } from "./ir/failure.ts";
export type { Protocol, TextRequest, Usage } from "./ir/index.ts";
export { collectLosses, ignoreLosses, type Loss } from "./ir/loss.ts";
export { type Edits, exchange, memberText, splice } from "./json/splice.ts";
export { translateRequest } from "./plan/translate-request.ts";
export { chatstyle, codecs, genstyle, msgstyle, native, responses } from "./protocols/index.ts";
export { createProtocols, type Protocols, protocols } from "./protocols/protocols.ts";
export { readChunk, writeChunk } from "./stream/chunk.ts";
export { parseWire } from "./stream/long-integers.ts";
export { MalformedReply } from "./stream/malformed-reply.ts";
export { type Observation, observe } from "./stream/observe.ts";
export { observeBody } from "./stream/observe-body.ts";
export { type Frame, FrameTooLong, readFrames, writeFrame } from "./stream/server-sent-events.ts";
export { chunkReader } from "./stream/similar-chunks.ts";
export { type Origins, traceOrigins } from "./translate/origins.ts";
export {
  type AnyCodec,
  type Encoded,
  encodeRequest,
  translateBody,
  translateStream,
} from "./translate/translate.ts";
export { type ReplyOptions, TranslatedReply } from "./translate/translated-reply.ts";
