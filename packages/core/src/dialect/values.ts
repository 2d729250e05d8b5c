import { type Json, type JsonObject, toArray } from "../json/json.ts";

/** Keywords that belong to one type of value. */
export const keywords: Record<string, readonly string[]> = {
  object: ["properties", "required", "minProperties", "maxProperties", "propertyOrdering"],
  array: ["items", "prefixItems", "minItems", "maxItems"],
  string: ["minLength", "maxLength", "pattern"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  integer: [],
  boolean: [],
  null: [],
};

/** The types of JSON Schema. */
export const types = Object.keys(keywords);

/** Members that every type can have beside it. */
export const annotations = ["title", "description", "default", "example"];

/** The types that a node allows, `null` among them; none where it does not say. */
export function typesOf(node: JsonObject): string[] {
  const words = (Array.isArray(node.type) ? node.type : [node.type]).filter(
    (type) => typeof type === "string",
  );
  const named = [...new Set(words.map((type) => type.toLowerCase()))].filter((type) =>
    Object.hasOwn(keywords, type),
  );
  const list = named.length > 0 ? named : guessTypes(node);
  return list.includes("number") ? list.filter((type) => type !== "integer") : list;
}

/** Infers the types from the keywords, because schemas often omit the type. */
export function guessTypes(node: JsonObject): string[] {
  const values = valuesOf(node);
  if (values) return [...new Set(values.map(typeOfValue))];
  const type = Object.keys(keywords).find((name) => keywords[name]?.some((key) => node[key] !== undefined));
  return type ? [type] : [];
}

/** The values that a node is limited to. */
export const valuesOf = (node: JsonObject): Json[] | undefined =>
  node.const !== undefined ? [node.const] : Array.isArray(node.enum) ? toArray(node.enum) : undefined;

export function typeOfValue(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
}

const holds = (type: string, value: Json): boolean =>
  typeOfValue(value) === type || (type === "number" && typeof value === "number");

/** The node as far as it speaks of one of its types. */
export function narrow(node: JsonObject, type: string): JsonObject {
  const out: JsonObject = { type };
  for (const key of [...(keywords[type === "integer" ? "number" : type] ?? []), "format"])
    if (node[key] !== undefined) out[key] = node[key];
  const values = valuesOf(node)?.filter((value) => holds(type, value));
  if (values) out.enum = values;
  return out;
}
