import { isObject, type Json, type JsonObject, toObject } from "../json/json.ts";

const definitions = ["function", "custom"];

/** The definition of a function or of a free-text tool that stands in a member of the type's name, as on the chat wire. */
function definitionIn(tool: JsonObject): JsonObject | undefined {
  const { type = "function" } = tool;
  const inner = definitions.includes(type as string) ? tool[type as string] : undefined;
  return isObject(inner) ? inner : undefined;
}

/** Whether a tool, or a choice of one, has its name beside its type, as on the responses wire. */
export function isFlat(json: Json | undefined): boolean {
  const tool = toObject(json);
  const { type = "function", name } = tool;
  return definitions.includes(type as string) && typeof name === "string" && !definitionIn(tool);
}

/** Whether a tool, or a choice of one, is nested as on the chat wire. */
export const isNested = (json: Json | undefined): boolean => definitionIn(toObject(json)) !== undefined;

/** A tool as the chat wire has it: some clients send there what is the form of the responses wire. */
export function nested(json: Json): JsonObject {
  const { type = "function", cache_control, ...definition } = toObject(json);
  if (!isFlat(json)) return toObject(json);
  return { type, ...(cache_control !== undefined && { cache_control }), [type as string]: definition };
}

/** A tool as the responses wire has it: some clients send there what is the form of the chat wire. */
export function flat(json: Json): JsonObject {
  const tool = toObject(json);
  const definition = definitionIn(tool);
  if (!definition) return tool;
  const { type = "function", ...rest } = tool;
  delete rest[type as string];
  return { type, ...rest, ...definition };
}
