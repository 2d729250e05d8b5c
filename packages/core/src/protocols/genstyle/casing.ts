import { snake } from "../../codec/snake-case.ts";
import { isObject, type Json, type JsonObject, put } from "../../json/json.ts";
import { params } from "./params.ts";

/** Members that the codec reads, on any level of a request: the parameters, and others of more than one word. */
const names = [
  ...params.flatMap(({ wire }) => wire.split(".")),
  "systemInstruction",
  "safetySettings",
  "cachedContent",
  "toolConfig",
  "functionDeclarations",
  "parametersJsonSchema",
  "functionCallingConfig",
  "allowedFunctionNames",
  "streamFunctionCallArguments",
  "inlineData",
  "fileData",
  "fileUri",
  "mimeType",
  "displayName",
  "functionCall",
  "functionResponse",
  "thoughtSignature",
  "mediaResolution",
  "videoMetadata",
  "partMetadata",
  "responseMimeType",
  "responseSchema",
  "responseJsonSchema",
  "thinkingConfig",
  "thinkingBudget",
  "thinkingLevel",
  "includeThoughts",
  "anyOf",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "minProperties",
  "maxProperties",
  "propertyOrdering",
];
const camelOf = new Map(names.map((name) => [snake(name), name]));

/** Members whose value belongs to the user: nothing inside is a name of this wire. */
const data = new Set([
  "args",
  "response",
  "parametersJsonSchema",
  "responseJsonSchema",
  "labels",
  "default",
  "example",
  "partMetadata",
]);
const DEEPEST = 100;

/**
 * A request with the names of this wire in one casing: its JSON may be written in snake case at every depth. The
 * user's own names stay as they are, and `null`, which means absent here, goes. What needs no change is returned
 * itself.
 */
export function recase<T>(value: T, depth = 0): T {
  if (depth > DEEPEST) return value;
  if (Array.isArray(value)) {
    const list = value.map((item) => recase(item, depth + 1));
    return list.some((item, i) => item !== value[i]) ? (list as T) : value;
  }
  if (!isObject(value)) return value;
  const out: JsonObject = {};
  let changed = false;
  for (const [key, held] of Object.entries(value)) {
    const camel = camelOf.get(key);
    const name = camel !== undefined && !Object.hasOwn(value, camel) ? camel : key;
    const inner = data.has(name)
      ? held
      : name === "properties" && isObject(held)
        ? recaseValues(held, depth)
        : recase(held, depth + 1);
    changed ||= name !== key || inner !== held || held === null;
    if (held !== null) put(out, name, inner);
  }
  return changed ? (out as T) : value;
}

/** A map whose keys are the user's and whose values are not. */
function recaseValues(map: JsonObject, depth: number): JsonObject {
  const out: JsonObject = {};
  let changed = false;
  for (const [key, held] of Object.entries(map)) {
    const inner: Json = recase(held, depth + 1);
    changed ||= inner !== held;
    put(out, key, inner);
  }
  return changed ? out : map;
}

const asList = (value: Json | undefined): Json | undefined =>
  value === undefined || Array.isArray(value) ? value : [value];
const asPart = (part: Json): Json => (typeof part === "string" ? { text: part } : part);

function asContent(content: Json, role?: string): Json {
  const roleField: JsonObject = role === undefined ? {} : { role };
  if (typeof content === "string") return { ...roleField, parts: [{ text: content }] };
  if (Array.isArray(content)) return { ...roleField, parts: content.map(asPart) };
  if (!isObject(content) || content.parts === undefined) return content;
  const list = asList(content.parts);
  const plain = Array.isArray(content.parts) && !content.parts.some((part) => typeof part === "string");
  return plain ? content : { ...content, parts: Array.isArray(list) ? list.map(asPart) : [] };
}

/** The request in the one form that the rest of the codec reads: its names re-cased, short forms written out. */
export function canonical(wire: unknown): unknown {
  const record = recase(wire);
  if (!isObject(record)) return record;
  const { contents, systemInstruction, tools } = record;
  const out: JsonObject = { ...record };
  if (typeof contents === "string") out.contents = [asContent(contents, "user")];
  else {
    const list = asList(contents);
    if (Array.isArray(list))
      out.contents = list.map((content) => (Array.isArray(content) ? content : asContent(content)));
  }
  if (systemInstruction !== undefined) out.systemInstruction = asContent(systemInstruction);
  if (tools !== undefined) out.tools = asList(tools) as Json;
  return out;
}
