import type { Trace } from "../../codec/caller-codec.ts";
import type {
  AssistantMessage,
  Message,
  OpaquePart,
  SystemMessage,
  TextPart,
  UserMessage,
} from "../../ir/index.ts";
import { type Json, type JsonObject, textOf, toArray, toObject, toText } from "../../json/json.ts";
import { decodeContent } from "./decode-parts.ts";
import { decodeResult, isResult } from "./decode-results.ts";
import { decodeItem, isClientItem, runOf } from "./items.ts";
import { extrasOf, protocol } from "./parts.ts";

const messageFields = new Set(["type", "role", "content"]);

/**
 * The conversation: `instructions` first, then the items. Consecutive items of the model are one message, and
 * so are consecutive results.
 */
export function decodeMessages(wire: JsonObject, trace: Trace): Message[] {
  const messages: Message[] = [];
  const instructions = toText(wire.instructions);
  if (instructions !== "") {
    const part: TextPart = { type: "text", text: instructions };
    const message: SystemMessage = { role: "system", parts: [part] };
    trace(part, "/instructions");
    trace(message, "/instructions");
    messages.push(message);
  }
  const { input } = wire;
  if (typeof input === "string") {
    const message: UserMessage = { role: "user", parts: decodeContent(input).map(({ part }) => part) };
    for (const part of message.parts) trace(part, "/input");
    trace(message, "/input");
    messages.push(message);
  }
  const runs = new Set<string>();
  let assistant: AssistantMessage | undefined;
  let answering: UserMessage | undefined;
  toArray(input).forEach((json, i) => {
    const item = toObject(json);
    const pointer = `/input/${i}`;
    const type = textOf(item.type) ?? (item.role === undefined ? "item_reference" : "message");
    if (type === "message" ? item.role === "assistant" : !isClientItem(item)) {
      answering = undefined;
      if (!assistant) {
        assistant = { role: "assistant", parts: [] };
        trace(assistant, pointer);
        messages.push(assistant);
      }
      for (const part of decodeItem(item, true)) {
        trace(part, pointer);
        assistant.parts.push(part);
        if (part.type === "call" && runOf(item.type)) runs.add(part.id);
      }
      return;
    }
    assistant = undefined;
    if (isResult(type, item)) {
      const part = decodeResult(type, item, runs);
      trace(part, pointer);
      if (answering) answering.parts.push(part);
      else {
        answering = { role: "user", parts: [part] };
        trace(answering, pointer);
        messages.push(answering);
      }
      return;
    }
    answering = undefined;
    const more = type === "message" ? decodeMessage(item, pointer, trace) : [other(json, pointer, trace)];
    for (const message of more) {
      trace(message, pointer);
      messages.push(message);
    }
  });
  return messages;
}

/** An item that the IR has no word for, where it stood. */
function other(value: Json, pointer: string, trace: Trace): UserMessage {
  const part: OpaquePart = { type: "opaque", protocol, value };
  trace(part, pointer);
  return { role: "user", parts: [part] };
}

/** A message that is not the model's. System messages hold text only: what else they held follows as the user's. */
function decodeMessage(item: JsonObject, pointer: string, trace: Trace): Message[] {
  const role = toText(item.role) || "user";
  const parts = decodeContent(item.content).map(({ part, at }) => {
    trace(part, `${pointer}/content${at}`);
    return part;
  });
  const extra = extrasOf(item, messageFields);
  if (role !== "system" && role !== "developer") return [{ role: "user", parts, ...extra }];
  const texts = parts.filter((part): part is TextPart => part.type === "text");
  const others = parts.filter((part) => part.type !== "text");
  const system: SystemMessage = {
    role: "system",
    parts: texts,
    ...(role === "developer" && { developer: true }),
    ...extra,
  };
  return others.length > 0 ? [system, { role: "user", parts: others }] : [system];
}
