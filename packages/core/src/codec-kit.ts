export * from "./codec/billing-facts.ts";
export { noTrace, type Spelling, type Trace, type Traits } from "./codec/codec.ts";
export * from "./codec/fetched-addresses.ts";
export * from "./codec/machine.ts";
export * from "./codec/params.ts";
export { snake } from "./codec/snake-case.ts";
export * from "./codec/wire-facts.ts";
export { extraFor, extraOf } from "./ir/extra.ts";
export { failureKinds, kindOfStatus, statusOfKind, truncated } from "./ir/failure.ts";
export { type Ignorable, ignorable, ignorableAsks } from "./ir/ignorable.ts";
export type { Lose } from "./ir/loss.ts";
export { faultOfMediaType } from "./ir/media-source.ts";
export * from "./json/json.ts";
export { countNames, depthOf } from "./json/scan.ts";
export * from "./operations/redact-links.ts";
export type { NameTable, Wires } from "./protocols/facts.ts";
export {
  type ChatBody,
  type ChatChunk,
  type ChatWire,
  completions,
  fillInTheMiddle,
  type GenBody,
  type GenChunk,
  type GenWire,
  type MessagesBody,
  type MessagesChunk,
  type NativeChunk,
  type ResponsesBody,
  type ResponsesChunk,
  type ResponsesWire,
} from "./protocols/index.ts";
export * from "./protocols/seal.ts";
export * from "./protocols/validate.ts";
export { isRaw, isTooDeep, keepDigits, parseArguments } from "./stream/long-integers.ts";
export { noteBill } from "./stream/observe.ts";
export { followMoves, type Moved, noMove } from "./translate/origins.ts";
