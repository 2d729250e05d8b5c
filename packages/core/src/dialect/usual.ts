import { isObject, type Json, type JsonObject } from "../json/json.ts";
import type { SchemaForm } from "./forms.ts";
import { isCommon } from "./regular-expressions.ts";
import { types } from "./values.ts";

const known = new Set(types);
/** Forms that a usual schema does not show: it has no reference, every array has items, and patterns are common. */
const unseen = new Set<SchemaForm>([
  "references",
  "referenceNeighbours",
  "innerReferences",
  "requiredCycles",
  "untypedItems",
  "rarePatterns",
]);

const isText = (value: Json | undefined): boolean => typeof value === "string";

/**
 * Checks in one pass, and without making anything, whether a schema is in a form that every target takes: nearly all
 * schemas are, and every request brings its own. False also where only the full rewriting can tell.
 */
export const isUsual = (schema: JsonObject, refuses: readonly SchemaForm[]): boolean =>
  refuses.every((form) => unseen.has(form)) && isUsualNode(schema);

function isUsualNode(node: Json): boolean {
  if (!isObject(node)) return false;
  for (const key in node) if (!isUsualMember(key, node[key] as Json, node)) return false;
  return true;
}

function isUsualMember(key: string, value: Json, node: JsonObject): boolean {
  switch (key) {
    case "type":
      return typeof value === "string" && known.has(value) && (value !== "array" || node.items !== undefined);
    case "properties":
      return isObject(value) && Object.values(value).every(isUsualNode);
    case "items":
      return isUsualNode(value);
    case "anyOf":
    case "oneOf":
    case "allOf":
      return Array.isArray(value) && value.length > 0 && value.every(isUsualNode);
    case "additionalProperties":
      return typeof value === "boolean" || isUsualNode(value);
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
