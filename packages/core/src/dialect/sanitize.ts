import type { Lose } from "../ir/loss.ts";
import { isObject, type Json, type JsonObject, numberOf, put, toArray } from "../json/json.ts";
import { types } from "./values.ts";

/** Members whose value may be null. */
const nullable = new Set(["default", "const", "example", "examples", "enum"]);
const listKeys = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const mapKeys = new Set(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]);
const schemaKeys = new Set([
  "additionalProperties",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
]);

const isSchema = (value: Json): boolean => typeof value === "boolean" || isObject(value);

/**
 * Corrects the members of a node whose values are not those of JSON Schema, because servers check them: types in upper
 * case, members that are null, lists and flags of older drafts. Returns the node itself if nothing is wrong.
 */
export function sanitize(node: JsonObject, lose: Lose, path: string): JsonObject {
  let out = node;
  for (const [key, value] of Object.entries(node)) {
    const tidied = sanitizeMember(key, value, (detail) => lose(`${path}/${key}`, "unsupported", detail));
    if (tidied === value) continue;
    if (out === node) out = { ...node };
    if (tidied === undefined) delete out[key];
    else put(out, key, tidied);
  }
  return updateDraft(out);
}

function sanitizeMember(key: string, value: Json, lose: (detail: string) => void): Json | undefined {
  if (value === null) return nullable.has(key) && key !== "enum" ? value : undefined;
  const wrong = (): undefined => {
    lose("no value that JSON Schema has for it");
    return undefined;
  };
  if (key === "type") return sanitizeType(value, wrong);
  if (key === "required") {
    if (!Array.isArray(value)) return wrong();
    const strings = value.filter((name) => typeof name === "string");
    if (strings.length < value.length) lose("only names can stand in it");
    const names = [...new Set(strings)];
    return names.length === value.length ? value : names;
  }
  if (key === "enum") return Array.isArray(value) && value.length > 0 ? value : wrong();
  if (listKeys.has(key)) {
    if (!Array.isArray(value)) return wrong();
    const schemas = value.filter(isSchema);
    if (schemas.length < value.length) lose("only schemas can stand in it");
    return schemas.length === value.length && value.length > 0
      ? value
      : schemas.length > 0
        ? schemas
        : undefined;
  }
  if (mapKeys.has(key)) return isObject(value) ? sanitizeMap(value, lose) : wrong();
  if (key === "items") return Array.isArray(value) || isSchema(value) ? value : wrong();
  if (schemaKeys.has(key)) return isSchema(value) ? value : wrong();
  if (key === "description" || key === "title" || key === "pattern" || key === "format" || key === "$ref")
    return typeof value === "string" ? value : wrong();
  return value;
}

function sanitizeMap(members: JsonObject, lose: (detail: string) => void): JsonObject {
  if (Object.values(members).every(isSchema)) return members;
  lose("what is no schema allows anything");
  const out: JsonObject = {};
  for (const [name, schema] of Object.entries(members)) put(out, name, isSchema(schema) ? schema : {});
  return out;
}

function sanitizeType(value: Json, wrong: () => undefined): Json | undefined {
  const words = toArray(Array.isArray(value) ? value : [value]);
  const known = words.flatMap((word) => {
    const type = typeof word === "string" ? word.toLowerCase() : "";
    return types.includes(type) ? [type] : [];
  });
  if (known.length === 0) return words.every((word) => word === null) ? undefined : wrong();
  const unique = [...new Set(known)];
  if (!Array.isArray(value)) return unique[0] === value ? value : unique[0];
  return unique.length === value.length && unique.every((type, i) => type === value[i]) ? value : unique;
}

/** Rewrites lists of items and exclusive flags of older drafts as the newest draft spells them. */
function updateDraft(node: JsonObject): JsonObject {
  let out = node;
  if (Array.isArray(node.items)) {
    const { items, additionalItems, ...rest } = node;
    out = {
      ...rest,
      prefixItems: items as Json[],
      ...(additionalItems !== undefined && { items: additionalItems }),
    };
    if ((items as Json[]).length === 0) delete out.prefixItems;
  }
  for (const [flag, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof out[flag] !== "boolean") continue;
    const { [flag]: excluded, [bound]: limit, ...rest } = out;
    const value = numberOf(limit);
    out = { ...rest, ...(value !== undefined && { [excluded ? flag : bound]: value }) };
  }
  return out;
}
