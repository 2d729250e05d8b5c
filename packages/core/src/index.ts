export { readChunk, writeChunk } from "./chunk.ts";
export { type Codec, DONE, type Head } from "./codec.ts";
export { parseWire } from "./digits.ts";
export type { Failure, FailureKind } from "./failure.ts";
export type { Protocol, TextRequest, Usage } from "./ir/index.ts";
export { type Origins, traceOrigins } from "./locate.ts";
export { collectLosses, ignoreLosses, type Loss } from "./loss.ts";
export { type Observation, observe } from "./observe.ts";
export { chatstyle, codecs, genstyle, msgstyle, native, responses } from "./protocols/index.ts";
export { type Edits, exchange, memberText, splice } from "./splice.ts";
export { type Frame, FrameTooLong, readFrames, writeFrame } from "./sse.ts";
export {
  type AnyCodec,
  type Encoded,
  encodeRequest,
  translateBody,
  translateRequest,
  translateStream,
} from "./translate.ts";
export { chunkReader } from "./words.ts";
