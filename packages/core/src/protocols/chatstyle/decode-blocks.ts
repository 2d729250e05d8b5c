import type { Trace } from "../../codec/caller-codec.ts";
import type { AssistantPart, CallPart, ResultPart, UserPart } from "../../ir/index.ts";
import { type Json, type JsonObject, toObject, toText } from "../../json/json.ts";
import { unsealedId } from "../seal.ts";
import { argumentsOf } from "./calls.ts";
import { decodeContent, readCache } from "./decode-parts.ts";
import { extrasOf } from "./parts.ts";

// Some clients write the tool calls of a model of the messages wire as blocks of that wire, also in a chat.

const callFields = new Set(["type", "id", "name", "input", "cache_control"]);
const resultFields = new Set(["type", "tool_use_id", "content", "is_error", "cache_control"]);

/** The content of a turn of the model, with the calls in it. */
export const decodeModelContent = (
  content: Json | undefined,
  pointer: string,
  trace: Trace,
): AssistantPart[] => decodeContent(content, pointer, trace, readCall);

/** The content of a turn of the user, with the results in it. */
export const decodeUserContent = (content: Json | undefined, pointer: string, trace: Trace): UserPart[] =>
  decodeContent(content, pointer, trace, (json, where) => readResult(json, where, trace));

function readCall(json: Json): CallPart | undefined {
  const wire = toObject(json);
  const name = toText(wire.name);
  if (wire.type !== "tool_use" || name === "") return undefined;
  const { id, seal } = unsealedId(toText(wire.id));
  return {
    type: "call",
    id,
    name,
    arguments: argumentsOf(wire.input),
    ...(seal && { seal }),
    ...readCache(wire.cache_control),
    ...extrasOf(wire, callFields),
  };
}

function readResult(json: Json, pointer: string, trace: Trace): ResultPart | undefined {
  const wire: JsonObject = toObject(json);
  if (wire.type !== "tool_result") return undefined;
  return {
    type: "result",
    id: unsealedId(toText(wire.tool_use_id)).id,
    parts: decodeContent(wire.content, `${pointer}/content`, trace),
    ...(wire.is_error === true && { failed: true }),
    ...readCache(wire.cache_control),
    ...extrasOf(wire, resultFields),
  };
}
