import type { Traits } from "../../codec/traits.ts";
import type { Dialect } from "../../dialect/index.ts";
import { extraOf } from "../../ir/extra.ts";
import type { CacheMark, CallPart, Extra } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { isObject, type JsonObject, toObject, toText } from "../../json/json.ts";
import { unsealedId } from "../seal.ts";

export const protocol = "msgstyle";

/** The context of an encoder of a request. */
export interface Context {
  lose: Lose;
  traits: Traits;
  dialect: Dialect;
  /** Puts a cache mark on a wire node. */
  mark(node: JsonObject, cache: CacheMark | undefined, path: string): JsonObject;
}

/** The members without a word in the IR. `null` is absent on this wire. */
export function extrasOf(record: JsonObject, knownFields: ReadonlySet<string>): { extra?: Extra } {
  const { extra } = extraOf(protocol, record, knownFields);
  if (!extra) return {};
  const fields = Object.fromEntries(Object.entries(extra.fields).filter(([, value]) => value !== null));
  return Object.keys(fields).length > 0 ? { extra: { protocol, fields } } : {};
}

/** The cache mark and the unknown members of a block or tool, and of the mark. One of another kind is kept whole. */
export function marksOf(
  record: JsonObject,
  knownFields: ReadonlySet<string>,
): { cache?: CacheMark; extra?: Extra } {
  const { cache_control: mark, ...others } = record;
  if (!isObject(mark)) return extrasOf(others, knownFields);
  const { type, ttl, ...more } = mark;
  if (type !== "ephemeral" || !(ttl === undefined || ttl === null || ttl === "5m" || ttl === "1h"))
    return extrasOf(record, knownFields);
  const cache: CacheMark = ttl ? { ttl } : {};
  const isPlain = Object.keys(more).length === 0;
  if (isPlain) return { cache, ...extrasOf(others, knownFields) };
  const { extra } = extrasOf({ ...others, cache_control: more }, knownFields);
  return { cache, ...(extra && { extra: { ...extra, partial: ["cache_control"] } }) };
}

export const blockFields = {
  text: new Set(["type", "text", "citations"]),
  media: new Set(["type", "source", "title"]),
  thinking: new Set(["type", "thinking", "signature"]),
  redacted: new Set(["type", "data"]),
  call: new Set(["type", "id", "name", "input"]),
  result: new Set(["type", "tool_use_id", "content", "is_error"]),
};

/** The common members of a reply's block and a request's, beside their content. A direct caller is every caller. */
export function callOf(block: JsonObject): Omit<CallPart, "arguments"> {
  const { caller, ...others } = block;
  const direct = toObject(caller).type === "direct";
  return {
    type: "call",
    ...unsealedId(toText(block.id)),
    name: toText(block.name),
    ...marksOf(direct ? others : block, blockFields.call),
  };
}
