import { nonEmptyExtraOf } from "../../ir/extra.ts";
import type { Extra } from "../../ir/index.ts";
import type { JsonObject } from "../../json/json.ts";

export const protocol = "chatstyle";

/** The members without a word in the IR. */
export const extrasOf = (record: JsonObject, knownFields: ReadonlySet<string>): { extra?: Extra } =>
  nonEmptyExtraOf(protocol, record, knownFields);

/** The name that bytes without one are sent under, because some servers insist on one. */
export const UNNAMED = "document.pdf";
