import { nonEmptyExtraOf } from "../../ir/extra.ts";
import type { Extra } from "../../ir/index.ts";
import type { JsonObject } from "../../json/json.ts";

export const protocol = "chatstyle";

/** The members without a word in the IR. */
export const extrasOf = (record: JsonObject, knownFields: ReadonlySet<string>): { extra?: Extra } =>
  nonEmptyExtraOf(protocol, record, knownFields);
