import type { Trace } from "../../codec/caller-codec.ts";
import type { CallPart, OpaquePart, ResultPart } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, textOf, toObject, toText } from "../../json/json.ts";
import { fromObjectText } from "../arguments.ts";
import { unsealedId } from "../seal.ts";
import { argumentsOf, OPAQUE_CALL, readCallHead } from "./calls.ts";
import { decodeContent, readCache } from "./decode-parts.ts";
import { extrasOf, protocol } from "./parts.ts";

const resultFields = new Set(["role", "tool_call_id", "content", "name", "cache_control"]);

export function decodeCall(json: Json, fallback: string): CallPart | OpaquePart {
  const wire = toObject(json);
  if (isObject(wire.custom))
    return {
      type: "call",
      ...readCallHead(wire, fallback),
      name: toText(wire.custom.name),
      arguments: toText(wire.custom.input),
      freeform: true,
    };
  if (!isObject(wire.function)) return { type: "opaque", protocol, value: { [OPAQUE_CALL]: json } };
  return {
    type: "call",
    ...readCallHead(wire, fallback),
    name: toText(wire.function.name),
    arguments: fromObjectText(argumentsOf(wire.function.arguments)),
  };
}

/** The answer in a `tool` message, or in the older `function` message that names no call. */
export function decodeResult(wire: JsonObject, id: string, pointer: string, trace: Trace): ResultPart {
  const name = textOf(wire.name);
  const parts = decodeContent(wire.content, `${pointer}/content`, trace);
  const marked = parts.find((part) => part.type !== "opaque" && part.cache);
  const cache = readCache(wire.cache_control);
  // A mark on the result's only text marks the result.
  if (!cache.cache && marked && parts.length === 1 && marked.type !== "opaque") {
    cache.cache = marked.cache as NonNullable<typeof marked.cache>;
    delete marked.cache;
  }
  return {
    type: "result",
    id: unsealedId(id).id,
    ...(name !== undefined && { name }),
    parts,
    ...cache,
    ...extrasOf(wire, resultFields),
  };
}
