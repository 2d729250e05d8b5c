export {
  type Billed,
  type BillingFacts,
  type CallCounts,
  type CallUnit,
  callUnits,
  choosingMembers,
  idsAt,
  type ToolBilling,
} from "./codec/billing-facts.ts";
export { noTrace, type Trace } from "./codec/caller-codec.ts";
export { addressesIn, defineUnfetched, type Unfetched } from "./codec/fetched-addresses.ts";
export { chain, each, type Machine, run } from "./codec/machine.ts";
export { paramShape } from "./codec/param-schemas.ts";
export {
  type ParamRow,
  type ParamTable,
  paramFields,
  readParams,
  within,
  writeParams,
} from "./codec/params.ts";
export { snake } from "./codec/snake-case.ts";
export { type Contradiction, contradictionsOf } from "./codec/trait-contradictions.ts";
export type { TraitName, Traits } from "./codec/traits.ts";
export { validate } from "./codec/validate.ts";
export type { WireFacts } from "./codec/wire-facts.ts";
export { optionalKeywords } from "./dialect/keywords.ts";
export { chatExtensions } from "./family/extensions.ts";
export { contextOverflow } from "./ir/context-overflow.ts";
export { escapePointer, extraFor, extraOf } from "./ir/extra.ts";
export { kindOfStatus, truncated } from "./ir/failure.ts";
export { countIgnored, type Ignorable, ignorable, ignorableAsks } from "./ir/ignorable.ts";
export type { Lose } from "./ir/loss.ts";
export { faultOfMediaType, kindOf, toBytes, toSource } from "./ir/media-source.ts";
export { isTooComplex, parseBounded } from "./json/bounded.ts";
export {
  compact,
  isObject,
  type Json,
  type JsonObject,
  lookup,
  numberOf,
  parseJson,
  parseObject,
  put,
  rest,
  textOf,
  toArray,
  toJsonText,
  toObject,
  toText,
} from "./json/json.ts";
export { countNames, depthOf } from "./json/scan.ts";
export { withoutSecrets } from "./operations/redact-links.ts";
export { type Wires, wires } from "./protocols/facts.ts";
export { completions, fillInTheMiddle } from "./protocols/index.ts";
export { paramTables } from "./protocols/param-tables.ts";
export { holdsSeal, SEAL_MARK, sealedFor } from "./protocols/seal.ts";
export { translateChunks } from "./reply/translate-reply.ts";
export {
  type BillableUsage,
  billableUsage,
  type ImpossibleFigure,
  isPossible,
  type MostTokens,
} from "./stream/billable-usage.ts";
export { FRAME_LIMIT } from "./stream/frame-limit.ts";
export { isRaw, parseArguments, restoreDigits } from "./stream/long-integers.ts";
export { addBilling } from "./stream/observe.ts";
export { COMMENT } from "./stream/write-frame.ts";
export { readFailure } from "./translate/read-failure.ts";
