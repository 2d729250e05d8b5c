import {
  isObject,
  type Json,
  type JsonObject,
  kindOf,
  noTrace,
  type Trace,
  textOf,
  toArray,
  toBytes,
  toObject,
  toSource,
  toText,
} from "@manifold-gateway/core/codec";
import type {
  AssistantPart,
  CacheMark,
  MediaPart,
  Message,
  OpaquePart,
  ResultPart,
  Source,
  TextPart,
  UserPart,
} from "@manifold-gateway/core/ir";
import { type Metadata, NAMESPACE, protocol } from "./wire.ts";

/** The messages of a prompt. */
export const decodePrompt = (prompt: Json | undefined, trace: Trace = noTrace): Message[] =>
  toArray(prompt ?? null).map((json, i) => {
    const message = decodeMessage(toObject(json), `/prompt/${i}`, trace);
    trace(message, `/prompt/${i}`);
    return message;
  });

function decodeMessage(wire: JsonObject, pointer: string, trace: Trace): Message {
  if (wire.role === "system") {
    const part: TextPart = { type: "text", text: toText(wire.content), ...cacheOf(wire) };
    trace(part, `${pointer}/content`);
    return { role: "system", parts: [part] };
  }
  const read = wire.role === "assistant" ? assistantPart : userPart;
  const parts = toArray(wire.content ?? null).map((json, i) => {
    const part = read(toObject(json));
    trace(part, `${pointer}/content/${i}`);
    return part;
  });
  // A mark of the message is one of its last part.
  const last = parts.at(-1);
  const mark = cacheOf(wire);
  if (last && mark.cache && last.type !== "opaque" && last.type !== "reasoning" && !last.cache)
    last.cache = mark.cache;
  return wire.role === "assistant"
    ? { role: "assistant", parts: parts as AssistantPart[] }
    : { role: "user", parts: parts as UserPart[] };
}

function userPart(wire: JsonObject): UserPart {
  switch (wire.type) {
    case "text":
      return textPart(wire);
    case "file":
      return filePart(wire);
    case "tool-result":
      return resultPart(wire);
    default:
      return unknownPart(wire);
  }
}

function assistantPart(wire: JsonObject): AssistantPart {
  const { seal, redacted, refusal, opaque, extra } = metadataFrom(wire);
  const kept = extra && { extra };
  switch (wire.type) {
    case "text":
      return { ...textPart(wire), ...(refusal && { refusal: true }), ...kept };
    case "reasoning":
      return {
        type: "reasoning",
        text: toText(wire.text),
        ...(redacted && { redacted: true }),
        ...(seal && { seal }),
        ...kept,
      };
    case "tool-call":
      if (wire.providerExecuted === true) return unknownPart(wire);
      return {
        type: "call",
        id: toText(wire.toolCallId),
        name: toText(wire.toolName),
        arguments: typeof wire.input === "string" ? wire.input : JSON.stringify(wire.input ?? {}),
        ...(seal && { seal }),
        ...kept,
        ...cacheOf(wire),
      };
    case "file":
      return filePart(wire) as MediaPart | TextPart;
    case "custom":
      return opaque ? { type: "opaque", protocol: opaque.protocol, value: opaque.value } : unknownPart(wire);
    default:
      return unknownPart(wire);
  }
}

const textPart = (wire: JsonObject): TextPart => ({
  type: "text",
  text: toText(wire.text),
  ...cacheOf(wire),
});

/** A part that no model reads through this interface, such as the answer to a request for approval: it is lost. */
const unknownPart = (value: JsonObject): OpaquePart => ({ type: "opaque", protocol, value });

function filePart(wire: JsonObject): MediaPart | TextPart {
  const data = toObject(wire.data);
  const declared = toText(wire.mediaType);
  if (data.type === "text" && !declared.startsWith("image")) return { ...textPart(data), ...cacheOf(wire) };
  const source = sourceOf(data, declared);
  const name = textOf(wire.filename);
  return {
    type: "media",
    kind: kindOf(declared),
    source,
    ...(name !== undefined && { name }),
    ...cacheOf(wire),
  };
}

/** The source of a file. Types such as `image` or `image/*` leave the exact one to the bytes. */
function sourceOf(data: JsonObject, declared: string): Source {
  const exact = /^[^/*]+\/[^/*]+$/.test(declared) ? declared : undefined;
  const mediaType = exact !== undefined ? { mediaType: exact } : {};
  if (data.type === "data") return toBytes(toText(data.data), exact);
  if (data.type === "url") {
    const source = toSource(textOf(data.originalUrl) ?? toText(data.url));
    return source.type === "url" ? { ...source, ...mediaType } : source;
  }
  const [id] = Object.values(toObject(data.reference));
  return { type: "file", protocol, id: toText(id), ...mediaType };
}

function resultPart(wire: JsonObject): ResultPart {
  const output = toObject(wire.output);
  return {
    type: "result",
    id: toText(wire.toolCallId),
    name: toText(wire.toolName),
    parts: outputParts(output),
    ...(/^error-|^execution-denied$/.test(toText(output.type)) && { failed: true }),
    ...cacheOf(wire),
  };
}

function outputParts(output: JsonObject): ResultPart["parts"] {
  if (output.type === "content")
    return toArray(output.value ?? null).map((json) => {
      const item = toObject(json);
      if (item.type === "text") return textPart(item);
      return item.type === "file" ? filePart(item) : unknownPart(item);
    });
  const value =
    output.type === "execution-denied" ? (output.reason ?? "The tool was not allowed to run.") : output.value;
  return [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value ?? null) }];
}

/** What this provider wrote into the metadata of an answer's part. */
function metadataFrom(wire: JsonObject): Metadata {
  return toObject(toObject(wire.providerOptions)[NAMESPACE]) as Metadata;
}

/** The mark up to which a prompt is cached, which programs set under the name of any provider. */
function cacheOf(wire: JsonObject): { cache?: CacheMark } {
  for (const options of Object.values(toObject(wire.providerOptions))) {
    const control = isObject(options) ? options.cacheControl : undefined;
    if (!isObject(control)) continue;
    return { cache: control.ttl === "1h" || control.ttl === "5m" ? { ttl: control.ttl } : {} };
  }
  return {};
}
