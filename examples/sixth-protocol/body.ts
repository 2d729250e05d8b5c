import {
  isObject,
  type Json,
  type JsonObject,
  toArray,
  toObject,
  toText,
} from "@manifold-gateway/core/codec";
import type { Body, Chunk } from "./schema.ts";

/** A unary body as the chunks of the stream that says the same. */
export function burst(json: Json): Json[] {
  if (!isObject(json) || !isObject(json.message)) return [json];
  const { id, message, ...ending } = json;
  const { content, tool_calls: calls, ...head } = toObject(message);
  const block = (type: "content" | "tool-call", member: Json, index: number): Chunk[] => {
    const name = type === "content" ? "content" : "tool_calls";
    return [
      { type: `${type}-start`, index, delta: { message: { [name]: member } } },
      { type: `${type}-end`, index },
    ];
  };
  return [
    { type: "message-start", ...(id !== undefined && { id }), delta: { message: head } },
    ...toArray(content).flatMap((member, i) => block("content", member, i)),
    ...toArray(calls).flatMap((member, i) => block("tool-call", member, i)),
    { type: "message-end", delta: ending },
  ];
}

/** Chunks as a unary body. */
export function gather(chunks: Iterable<Chunk>): Body {
  const body: JsonObject = {};
  const message: JsonObject = {};
  const grow = (name: "content" | "tool_calls", at: number, member: Json): void => {
    const list = toArray(message[name]);
    message[name] = list;
    list[at] = list[at] === undefined ? member : joined(toObject(list[at]), toObject(member));
  };
  for (const { type, id, index, delta } of chunks) {
    const said = toObject(toObject(delta).message);
    if (type === "message-start")
      Object.assign(body, { ...(id !== undefined && { id }), message: Object.assign(message, said) });
    else if (type === "message-end") Object.assign(body, delta);
    else
      for (const name of ["content", "tool_calls"] as const)
        if (said[name] !== undefined) grow(name, Number(index), said[name]);
  }
  return body;
}

/** A block or a call and another piece of it: texts grow. */
function joined(block: JsonObject, more: JsonObject): JsonObject {
  if (typeof more.text === "string") return { ...block, text: toText(block.text) + more.text };
  const { arguments: text } = toObject(more.function);
  const called = toObject(block.function);
  return { ...block, function: { ...called, arguments: toText(called.arguments) + toText(text) } };
}
