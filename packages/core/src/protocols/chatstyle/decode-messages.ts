import type { Trace } from "../../codec/caller-codec.ts";
import type { AssistantPart, Message, UserMessage } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, textOf, toArray, toObject, toText } from "../../json/json.ts";
import { decodeModelContent, decodeUserContent } from "./decode-blocks.ts";
import { decodeCall, decodeResult } from "./decode-calls.ts";
import { decodeContent, decodePart, readCache } from "./decode-parts.ts";
import { extrasOf } from "./parts.ts";
import { readThoughts, reasoningFields, toReasoning } from "./thoughts.ts";

const plainFields = new Set(["role", "content", "name", "cache_control"]);
const assistantFields = new Set([
  ...plainFields,
  ...reasoningFields,
  "refusal",
  "tool_calls",
  "function_call",
  "images",
]);

/** The conversation: one message each, but the answers that follow one step of calls become one user message. */
export function decodeMessages(list: readonly Json[], trace: Trace): Message[] {
  const messages: Message[] = [];
  const freeform = new Set<string>();
  /** Calls of the older form have no id: each gets one by its number, and the next result is taken as its result. */
  let legacy = 0;
  /** The calls of the last step without a result: results that name no call answer them in order. */
  let open: string[] = [];
  let results: UserMessage | undefined;
  list.forEach((json, i) => {
    const wire = toObject(json);
    const pointer = `/messages/${i}`;
    const role = toText(wire.role);
    if (role === "tool" || role === "function") {
      const named = role === "tool" ? toText(wire.tool_call_id) : `call_legacy_${legacy}`;
      const part = decodeResult(wire, named || (open[0] ?? ""), pointer, trace);
      open = open.filter((id) => id !== part.id);
      if (freeform.has(part.id)) part.freeform = true;
      trace(part, pointer);
      if (!results) {
        results = { role: "user", parts: [] };
        trace(results, pointer);
        messages.push(results);
      }
      results.parts.push(part);
      return;
    }
    results = undefined;
    if (role === "assistant" && isObject(wire.function_call)) legacy += 1;
    const message = decodeMessage(wire, role, pointer, `call_legacy_${legacy}`, trace);
    const calls = message.parts.filter((part) => part.type === "call");
    for (const call of calls) if (call.freeform) freeform.add(call.id);
    open = calls.map(({ id }) => id);
    trace(message, pointer);
    messages.push(message);
  });
  return messages;
}

function decodeMessage(
  wire: JsonObject,
  role: string,
  pointer: string,
  legacyId: string,
  trace: Trace,
): Message {
  const name = textOf(wire.name);
  const at = `${pointer}/content`;
  const head = {
    ...(name !== undefined && { name }),
    ...extrasOf(wire, role === "assistant" ? assistantFields : plainFields),
  };
  let message: Message;
  if (role === "assistant") {
    const content = decodeModelContent(wire.content, at, trace);
    const parts = decodeAssistant(wire, content, pointer, legacyId, trace);
    message = { role: "assistant", parts, ...head };
  } else if (role === "user")
    message = { role: "user", parts: decodeUserContent(wire.content, at, trace), ...head };
  else {
    const parts = decodeContent(wire.content, at, trace).filter((part) => part.type === "text");
    message = { role: "system", parts, ...(role === "developer" && { developer: true }), ...head };
  }
  // A mark on the message stands for its end.
  const { cache } = readCache(wire.cache_control);
  const last = message.parts.findLast((part) => part.type !== "opaque" && part.type !== "reasoning");
  if (cache && last && !last.cache && last.type !== "call") last.cache = cache;
  return message;
}

function decodeAssistant(
  wire: JsonObject,
  content: AssistantPart[],
  pointer: string,
  legacyId: string,
  trace: Trace,
): AssistantPart[] {
  const parts: AssistantPart[] = [];
  const add = (part: AssistantPart, where: string): void => {
    trace(part, `${pointer}/${where}`);
    parts.push(part);
  };
  const spelling = reasoningFields.find(
    (field) => toArray(wire[field]).length > 0 || toText(wire[field]) !== "",
  );
  for (const thought of readThoughts(wire)) add(toReasoning(thought), spelling as string);
  for (const part of content) parts.push(part);
  // What the model said stands for its sound where no server can look that up by its id.
  const transcript = toText(toObject(wire.audio).transcript);
  if (content.length === 0 && transcript !== "") add({ type: "text", text: transcript }, "audio/transcript");
  const refusal = toText(wire.refusal);
  if (refusal !== "") add({ type: "text", text: refusal, refusal: true }, "refusal");
  toArray(wire.images).forEach((image, i) => {
    const part = decodePart(image);
    if (part) add(part, `images/${i}`);
  });
  toArray(wire.tool_calls).forEach((call, i) => {
    add(decodeCall(call, `call_unnamed_${pointer.slice("/messages/".length)}_${i}`), `tool_calls/${i}`);
  });
  if (isObject(wire.function_call))
    add(decodeCall({ function: wire.function_call }, legacyId), "function_call");
  return parts;
}
