import { isObject, type Json, type JsonObject, toArray, toObject } from "../json/json.ts";
import { mapSchemas } from "./places.ts";

/** Keywords that the strict subset does not have. */
const refused = new Set([
  "allOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "patternProperties",
  "propertyNames",
  "unevaluatedProperties",
  "unevaluatedItems",
  "minLength",
  "maxLength",
  "minProperties",
  "maxProperties",
  "uniqueItems",
  "contains",
  "minContains",
  "maxContains",
  "prefixItems",
  "default",
]);
const formats = new Set("date-time time date duration email hostname ipv4 ipv6 uuid".split(" "));
/** Members of which a schema must have one to have a type. */
const typing = ["type", "anyOf", "$ref", "enum", "const"];

/**
 * Finds what the strict mode of the chat and responses wires does not allow in a schema: there, every object is closed
 * and requires all of its properties. `undefined` if all is allowed.
 */
export function strictViolation(schema: Json, top = true): string | undefined {
  if (!isObject(schema)) return "a schema that is true or false";
  const reason = nodeViolation(schema, top);
  if (reason !== undefined) return reason;
  let found: string | undefined;
  mapSchemas(schema, (inner, _, key) => {
    if (key !== "additionalProperties") found ??= strictViolation(inner, false);
    return inner;
  });
  return found;
}

function nodeViolation(node: JsonObject, top: boolean): string | undefined {
  if (top && (node.type !== "object" || node.anyOf !== undefined)) return "a top that is not one object";
  const keyword = Object.keys(node).find((key) => refused.has(key));
  if (keyword !== undefined) return keyword;
  if (!typing.some((key) => node[key] !== undefined)) return "a schema without a type";
  if (node.$ref !== undefined && Object.keys(node).some((key) => key !== "$ref"))
    return "members beside a reference";
  if (node.format !== undefined && !formats.has(String(node.format)))
    return `the format ${String(node.format)}`;
  const types = toArray(Array.isArray(node.type) ? node.type : [node.type ?? null]);
  if (types.includes("array") && !isObject(node.items)) return "an array without a schema of its items";
  if (!types.includes("object") && !isObject(node.properties)) return undefined;
  if (node.additionalProperties !== false) return "an object that is not closed";
  const required = toArray(node.required);
  const optional = Object.keys(toObject(node.properties)).find((name) => !required.includes(name));
  return optional === undefined ? undefined : `the optional property ${optional}`;
}
