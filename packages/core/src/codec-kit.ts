export * from "./addresses.ts";
export * from "./billing.ts";
export { noTrace, type Spelling, type Trace, type Traits } from "./codec.ts";
export { isRaw, isTooDeep, keepDigits, parseArguments } from "./digits.ts";
export { extraFor, extraOf } from "./extra.ts";
export * from "./facts.ts";
export { failureKinds, kindOfStatus, statusOfKind, truncated } from "./failure.ts";
export { type Ignorable, ignorable, ignorableAsks } from "./ignored.ts";
export * from "./json.ts";
export * from "./links.ts";
export { followMoves, type Moved, noMove } from "./locate.ts";
export type { Lose } from "./loss.ts";
export * from "./machine.ts";
export { faultOfMediaType } from "./media.ts";
export { noteBill } from "./observe.ts";
export * from "./params.ts";
export { filesOfAny, isToolValue, namesOfAny } from "./protocols/facts.ts";
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
export { registerProtocol } from "./protocols/register.ts";
export { countNames, depthOf } from "./scan.ts";
export * from "./seal.ts";
export { snake } from "./snake.ts";
export * from "./validate.ts";
