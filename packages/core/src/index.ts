export type { CallerCodec, Head } from "./codec/caller-codec.ts";
export type { AnyCaller, AnyCodec, AnyProvider, Codec } from "./codec/codec.ts";
export { DONE } from "./codec/codec-base.ts";
export type { ProviderCodec } from "./codec/provider-codec.ts";
export type { Failure, FailureKind } from "./ir/failure.ts";
export type { Protocol, TextRequest, Usage } from "./ir/index.ts";
export { collectLosses, ignoreLosses, type Loss } from "./ir/loss.ts";
export { type Edits, memberText, splice } from "./json/splice.ts";
export { Rejection, type RejectionCode } from "./plan/rejection.ts";
export { type RequestTranslation, translateRequest } from "./plan/translate-request.ts";
export { chatstyle, codecs, genstyle, msgstyle, native, responses } from "./protocols/index.ts";
export { createProtocols, type Protocols, protocols } from "./protocols/protocols.ts";
export type { ReplyOptions } from "./reply/reply.ts";
export {
  type BodyTranslation,
  type ReplyTranslation,
  type StreamTranslation,
  type TranslatedBody,
  translateBody,
  translateStream,
} from "./reply/translate-reply.ts";
export { TranslatedReply } from "./reply/translated-reply.ts";
export { readChunk, writeChunk } from "./stream/chunk.ts";
export { chunkReader } from "./stream/chunk-templates.ts";
export { FrameTooLong } from "./stream/frame-limit.ts";
export { parseWire } from "./stream/long-integers.ts";
export { MalformedReply } from "./stream/malformed-reply.ts";
export { type Observation, observe } from "./stream/observe.ts";
export { observeBody } from "./stream/observe-body.ts";
export { type Frame, readFrames } from "./stream/read-frames.ts";
export { writeFrame } from "./stream/write-frame.ts";
export { type Origins, traceOrigins } from "./translate/origins.ts";
export { type Encoded, encodeRequest } from "./translate/translate.ts";
