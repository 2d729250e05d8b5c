import type { ContentPart, Context } from "../../family/content.ts";
import { extraFor } from "../../ir/extra.ts";
import type { AssistantPart, CallPart, OpaquePart, ResultPart, Seal } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, rest, textOf, toObject, toText } from "../../json/json.ts";
import { unsealedId } from "../seal.ts";
import { decodeContent, encodeContent, extrasOf, protocol, readCache, shorten, writeCache } from "./parts.ts";

const callFields = new Set(["id", "type", "function", "custom", "index", "extra_content"]);
const resultFields = new Set(["role", "tool_call_id", "content", "name", "cache_control"]);

/** Arguments as JSON text. Clients and servers write none of them in several ways; an object is what all mean. */
export function toArguments(value: Json | undefined): string {
  if (typeof value === "string") return value.trim() === "" ? "{}" : value;
  return value === undefined || value === null ? "{}" : JSON.stringify(value);
}

/**
 * The seal beside a call: servers of another wire's models put its signature here. Other members of the
 * same record stay in `extra`.
 */
function readSignature(wire: JsonObject): { seal?: Seal; remaining: JsonObject } {
  const google = toObject(toObject(wire.extra_content).google);
  const value = textOf(google.thought_signature);
  if (!value) return { remaining: wire };
  const others = rest(google, new Set(["thought_signature"]));
  const content = {
    ...rest(toObject(wire.extra_content), new Set(["google"])),
    ...(others && { google: others }),
  };
  const { extra_content: _, ...left } = wire;
  return {
    seal: { protocol: "genstyle", value },
    remaining: Object.keys(content).length > 0 ? { ...left, extra_content: content } : left,
  };
}

/** A call's members beside its name and arguments. `fallback` names calls that the wire left without an id. */
export function readCallHead(wire: JsonObject, fallback: string): Pick<CallPart, "id" | "seal" | "extra"> {
  const { id, seal } = unsealedId(toText(wire.id) || fallback);
  const { seal: signed, remaining } = readSignature(wire);
  const known = remaining.extra_content === undefined ? callFields : withoutContent;
  const found = signed ?? seal;
  return { id, ...(found && { seal: found }), ...extrasOf(remaining, known) };
}
const withoutContent = new Set([...callFields].filter((name) => name !== "extra_content"));

/** The member that keeps a call of an unknown kind: it is no content. */
const OPAQUE_CALL = "tool_call";

/** The call of an unknown kind that a part keeps; nothing where it keeps none. */
export const opaqueCallIn = (part: AssistantPart): Json | undefined =>
  part.type === "opaque" && part.protocol === protocol ? toObject(part.value)[OPAQUE_CALL] : undefined;

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
    arguments: toArguments(wire.function.arguments),
  };
}

export function encodeCall(part: CallPart, path: string, { lose, traits }: Context): JsonObject {
  if (part.cache) lose(`${path}/cache`, "unsupported");
  const extra = extraFor(protocol, part.extra, lose, path);
  const { name } = part;
  const call: JsonObject = part.freeform
    ? { type: "custom", custom: { name, input: part.arguments } }
    : { type: "function", function: { name, arguments: toArguments(part.arguments) } };
  const wire: JsonObject = { ...extra, id: part.id, ...call };
  if (!part.seal) return wire;
  if (part.seal.protocol === "genstyle" && (traits.reasoningBack || traits.callSignatures)) {
    const content = toObject(extra.extra_content);
    const google = { ...toObject(content.google), thought_signature: part.seal.value };
    wire.extra_content = { ...content, google };
  } else lose(`${path}/seal`, "unsupported");
  return wire;
}

/** The answer in a `tool` message, or in the older `function` message that names no call. */
export function decodeResult(
  wire: JsonObject,
  id: string,
  pointer: string,
  trace: (node: object, pointer: string) => void,
): ResultPart {
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

/** A result as a message of its own, and the media that such a message cannot hold, with their paths. */
export function encodeResult(
  part: ResultPart,
  path: string,
  context: Context,
): { message: JsonObject; media: [part: ContentPart, path: string][] } {
  const { lose, traits } = context;
  const placed = part.parts.map((inner, i): [ContentPart, string] => [inner, `${path}/parts/${i}`]);
  const moves = ([inner]: [ContentPart, string]): boolean =>
    inner.type === "media" && traits.resultMedia !== true;
  const media = placed.filter(moves);
  for (const [, where] of media) lose(where, "approximated", "moved to a user message behind the results");
  const list = encodeContent(
    placed.filter((one) => !moves(one)),
    context,
  );
  let content = shorten(list);
  if (content === "" && media.length > 0) content = "(The result is attached to the next message.)";
  if (part.failed) {
    lose(path, "approximated", "the failure is written in the text");
    const [first] = list;
    if (typeof content === "string") content = asError(content);
    else if (isObject(first) && typeof first.text === "string") first.text = asError(first.text);
  }
  return {
    media,
    message: {
      ...extraFor(protocol, part.extra, lose, path),
      role: "tool",
      tool_call_id: part.id,
      ...(part.name !== undefined && { name: part.name }),
      content,
      ...writeCache(part.cache, path, context),
    },
  };
}

const asError = (text: string): string => (/^\s*error\b/i.test(text) ? text : `Error: ${text}`);
