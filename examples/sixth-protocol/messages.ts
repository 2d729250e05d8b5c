import {
  extraFor,
  extraOf,
  isObject,
  type Json,
  type JsonObject,
  type Lose,
  type Trace,
  toArray,
  toObject,
  toText,
} from "@manifold-gateway/core/codec";
import type {
  AssistantPart,
  Message,
  OpaquePart,
  ResultPart,
  TextPart,
  UserMessage,
} from "@manifold-gateway/core/ir";
import { protocol } from "./schema.ts";

type Part = TextPart | OpaquePart;

const blockFields = new Set(["type", "text"]);
const messageFields = new Set(["role", "content"]);
const assistantFields = new Set([...messageFields, "tool_calls"]);
const resultFields = new Set([...messageFields, "tool_call_id"]);
const callFields = new Set(["id", "type", "function"]);

/** The conversation: one message each, but the answers to one step of calls become one user message. */
export function decodeMessages(list: readonly Json[], trace: Trace): Message[] {
  const messages: Message[] = [];
  let results: UserMessage | undefined;
  list.forEach((json, i) => {
    const wire = toObject(json);
    const pointer = `/messages/${i}`;
    if (wire.role !== "tool") {
      results = undefined;
      const message = decodeMessage(wire, pointer, trace);
      trace(message, pointer);
      messages.push(message);
      return;
    }
    if (!results) {
      results = { role: "user", parts: [] };
      trace(results, pointer);
      messages.push(results);
    }
    const part: ResultPart = {
      type: "result",
      id: toText(wire.tool_call_id),
      parts: decodeContent(wire.content, `${pointer}/content`, trace),
      ...extraOf(protocol, wire, resultFields),
    };
    trace(part, pointer);
    results.parts.push(part);
  });
  return messages;
}

function decodeMessage(wire: JsonObject, pointer: string, trace: Trace): Message {
  const content = decodeContent(wire.content, `${pointer}/content`, trace);
  if (wire.role === "assistant") {
    const calls = toArray(wire.tool_calls).map((json, i): AssistantPart => {
      const call = toObject(json);
      const { name, arguments: text } = toObject(call.function);
      const part: AssistantPart = {
        type: "call",
        id: toText(call.id),
        name: toText(name),
        arguments: toText(text),
        ...extraOf(protocol, call, callFields),
      };
      trace(part, `${pointer}/tool_calls/${i}`);
      return part;
    });
    return { role: "assistant", parts: [...content, ...calls], ...extraOf(protocol, wire, assistantFields) };
  }
  const extra = extraOf(protocol, wire, messageFields);
  if (wire.role !== "system") return { role: "user", parts: content, ...extra };
  return { role: "system", parts: content.filter((part) => part.type === "text"), ...extra };
}

/** Text, or a list of blocks. Empty text is no part. */
function decodeContent(content: Json | undefined, pointer: string, trace: Trace): Part[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : toArray(content);
  return blocks.flatMap((json, i): Part[] => {
    const block = toObject(json);
    if (block.type === "text" && toText(block.text) === "") return [];
    const part: Part =
      block.type === "text"
        ? { type: "text", text: toText(block.text), ...extraOf(protocol, block, blockFields) }
        : { type: "opaque", protocol, value: json };
    trace(part, typeof content === "string" ? pointer : `${pointer}/${i}`);
    return [part];
  });
}

/** A message in the wire's own ones: each result of a user message is one, before what the user says. */
export function encodeMessage(message: Message, path: string, lose: Lose): JsonObject[] {
  const blocks: JsonObject[] = [];
  const results: JsonObject[] = [];
  const calls: JsonObject[] = [];
  message.parts.forEach((part, i) => {
    const where = `${path}/parts/${i}`;
    if (part.type === "result") results.push(encodeResult(part, where, lose));
    else if (part.type === "call") {
      for (const member of ["seal", "cache", "freeform"] as const)
        if (part[member]) lose(`${where}/${member}`, "unsupported");
      calls.push({
        ...extraFor(protocol, part.extra, lose, where),
        id: part.id,
        type: "function",
        function: { name: part.name, arguments: part.arguments.trim() || "{}" },
      });
    } else {
      const block = encodeBlock(part, where, lose);
      if (block && calls.length > 0) lose(where, "approximated", "the wire has it before the calls");
      if (block) blocks.push(block);
    }
  });
  if (message.role === "system" && message.developer) lose(`${path}/developer`, "approximated");
  if (blocks.length === 0 && calls.length === 0) {
    if (message.name !== undefined) lose(`${path}/name`, "unsupported");
    if (message.extra) lose(`${path}/extra`, "unsupported");
    if (results.length === 0) lose(path, "unsupported", "nothing is left of the message");
    return results;
  }
  if (message.name !== undefined) lose(`${path}/name`, "unsupported");
  const said: JsonObject = {
    ...extraFor(protocol, message.extra, lose, path),
    role: message.role,
    ...(blocks.length > 0 && { content: shorten(blocks) }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return [...results, said];
}

function encodeBlock(
  part: Exclude<Message["parts"][number], { type: "call" | "result" }>,
  where: string,
  lose: Lose,
): JsonObject | undefined {
  if (part.type === "opaque" && part.protocol === protocol && isObject(part.value)) return part.value;
  if (part.type !== "text") {
    lose(where, "unsupported", "the wire has text alone");
    return undefined;
  }
  for (const member of ["refusal", "citations", "logprobs", "cache"] as const)
    if (part[member]) lose(`${where}/${member}`, "unsupported");
  const extra = extraFor(protocol, part.extra, lose, where);
  return part.text === "" ? undefined : { ...extra, type: "text", text: part.text };
}

function encodeResult(part: ResultPart, path: string, lose: Lose): JsonObject {
  for (const member of ["cache", "freeform"] as const)
    if (part[member]) lose(`${path}/${member}`, "unsupported");
  const blocks = part.parts.flatMap((inner, i): JsonObject[] => {
    const block = encodeBlock(inner, `${path}/parts/${i}`, lose);
    return block ? [block] : [];
  });
  if (part.failed) lose(path, "approximated", "the failure is written in the text");
  const failed = part.failed ? [{ type: "text", text: "Error:" }] : [];
  return {
    ...extraFor(protocol, part.extra, lose, path),
    role: "tool",
    tool_call_id: part.id,
    content: shorten([...failed, ...blocks]),
  };
}

/** One plain text as a string, which every server of the wire takes. */
function shorten(blocks: JsonObject[]): Json {
  const [only, another] = blocks;
  if (!only) return "";
  return !another && only.type === "text" && Object.keys(only).length === 2 ? toText(only.text) : blocks;
}
