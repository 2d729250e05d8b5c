import { isObject, type Json, type JsonObject } from "../json/json.ts";
import type { SchemaForm } from "./forms.ts";
import { isCommon } from "./regular-expressions.ts";
import { types } from "./values.ts";

const known = new Set(types);
/** The forms that a portable schema does not have. */
const absentForms = new Set<SchemaForm>([
  "references",
  "referenceNeighbours",
  "innerReferences",
  "requiredCycles",
  "untypedItems",
  "rarePatterns",
]);

const isText = (value: Json | undefined): boolean => typeof value === "string";

/**
 * Checks whether every target accepts a schema as it is, in one pass and without allocation, because every request brings
 * schemas and nearly all are portable. False also where only the full rewriting can tell.
 */
export const isPortable = (schema: JsonObject, refuses: readonly SchemaForm[]): boolean =>
  refuses.every((form) => absentForms.has(form)) && isPortableNode(schema);

function isPortableNode(node: Json): boolean {
  if (!isObject(node)) return false;
  for (const key in node) if (!isPortableMember(key, node[key] as Json, node)) return false;
  return true;
}

function isPortableMember(key: string, value: Json, node: JsonObject): boolean {
  switch (key) {
    case "type":
      return typeof value === "string" && known.has(value) && (value !== "array" || node.items !== undefined);
    case "properties":
      return isObject(value) && Object.values(value).every(isPortableNode);
    case "items":
      return isPortableNode(value);
    case "anyOf":
    case "oneOf":
    case "allOf":
      return Array.isArray(value) && value.length > 0 && value.every(isPortableNode);
    case "additionalProperties":
      return typeof value === "boolean" || isPortableNode(value);
    case "required":
      return Array.isArray(value) && value.every((name, i) => isText(name) && value.indexOf(name) === i);
    case "enum":
      return Array.isArray(value) && value.length > 0;
    case "description":
    case "title":
    case "$schema":
    case "format":
      return isText(value);
    case "pattern":
      return typeof value === "string" && isCommon(value);
    case "default":
    case "const":
      return true;
    default:
      return typeof value === "number" && key.startsWith("m");
  }
}
