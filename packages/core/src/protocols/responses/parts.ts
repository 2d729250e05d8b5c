import { nonEmptyExtraOf } from "../../ir/extra.ts";
import type { Extra } from "../../ir/index.ts";
import { endingOf } from "../../ir/media-source.ts";
import type { JsonObject } from "../../json/json.ts";

export const protocol = "responses";

/** The server's id of an item, and its progress. */
const bookkeeping = ["id", "status"];

/** The members without a word in the IR. */
export function extrasOf(record: JsonObject, knownFields: ReadonlySet<string>): { extra?: Extra } {
  const { extra } = nonEmptyExtraOf(protocol, record, knownFields);
  const internal = bookkeeping.filter((name) => extra?.fields[name] !== undefined);
  return extra ? { extra: internal.length > 0 ? { ...extra, internal } : extra } : {};
}

/** The wire's members that a node brought along. */
export const wireFieldsOf = (node: { extra?: Extra }): JsonObject =>
  node.extra?.protocol === protocol ? node.extra.fields : {};

export const audioTypes: Record<string, string> = { mp3: "audio/mpeg", wav: "audio/wav" };

/** The name that bytes without one are sent under: the wire wants one, and its ending shows what they are. */
export const nameless = (mediaType: string): string => `document.${endingOf(mediaType)}`;
