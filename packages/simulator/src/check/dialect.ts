import type { JsonObject } from "../content/request-content.ts";

interface Node {
  path: string[];
  schema: JsonObject;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const MAPS = ["properties", "$defs", "definitions"];
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const SINGLES = ["items", "additionalProperties", "not"];

/** Every schema inside a schema. A property's name is never read as a keyword. */
function* nodesOf(schema: unknown, path: string[] = []): Generator<Node> {
  if (!isObject(schema)) return;
  yield { path, schema };
  for (const key of MAPS) {
    const map = schema[key];
    if (isObject(map))
      for (const [name, value] of Object.entries(map)) yield* nodesOf(value, [...path, key, name]);
  }
  for (const key of LISTS) {
    const list = schema[key];
    if (Array.isArray(list))
      for (const [index, value] of list.entries()) yield* nodesOf(value, [...path, key, String(index)]);
  }
  for (const key of SINGLES) yield* nodesOf(schema[key], [...path, key]);
}

const isObjectType = ({ type, properties }: JsonObject): boolean =>
  type === "object" ||
  (Array.isArray(type) && type.includes("object")) ||
  (type === undefined && !!properties);

/** Why a schema is outside the strict subset, in the vendor's words; undefined if it is inside. */
export function strictViolation(schema: unknown): string | undefined {
  for (const { path, schema: node } of nodesOf(schema)) {
    const context = `In context=(${path.map((step) => `'${step}'`).join(", ")}),`;
    if (path.length === 0 && node.anyOf)
      return "schema must have type 'object' and not have 'anyOf' at the top level";
    if (!isObjectType(node)) continue;
    if (node.additionalProperties !== false)
      return `${context} 'additionalProperties' is required to be supplied and to be false.`;
    const required = Array.isArray(node.required) ? node.required : [];
    const absent = Object.keys(isObject(node.properties) ? node.properties : {}).find(
      (name) => !required.includes(name),
    );
    if (absent !== undefined)
      return `${context} 'required' is required to be supplied and to be an array including every key in properties. Missing '${absent}'.`;
  }
  return undefined;
}

const UNCONSTRAINED = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "not",
  "oneOf",
];
const CONSTRAINED_FORMATS = "date-time, time, date, duration, email, hostname, uri, ipv4, ipv6, uuid".split(
  ", ",
);

/** Why constrained decoding does not support a schema; undefined if it does. */
export function againstConstrained(schema: unknown): string | undefined {
  for (const { schema: node } of nodesOf(schema)) {
    const type = String(node.type ?? "schema");
    if (isObjectType(node) && node.additionalProperties !== false)
      return "For 'object' type, 'additionalProperties' must be explicitly set to false";
    const key = UNCONSTRAINED.find((name) => name in node);
    if (key) return `For '${type}' type, property '${key}' is not supported`;
    if (Number(node.minItems ?? 0) > 1)
      return "For 'array' type, 'minItems' values other than 0 or 1 are not supported";
    if (node.format !== undefined && !CONSTRAINED_FORMATS.includes(String(node.format)))
      return `For 'string' type, format '${String(node.format)}' is not supported`;
  }
  return undefined;
}

const PROTO_FORMATS: Record<string, string[]> = {
  STRING: ["enum", "date-time"],
  NUMBER: ["float", "double"],
  INTEGER: ["int32", "int64"],
};

/** The objections of the proto dialect to a schema whose names it all knows; paths are its own. */
export function againstProto(schema: unknown, at: string): string | undefined {
  for (const { path, schema: node } of nodesOf(schema)) {
    const where = path.reduce(
      (text, step, index) =>
        path[index - 1] === "properties" || path[index - 1] === "anyOf"
          ? `${text}[${step}]`
          : `${text}.${step}`,
      at,
    );
    const type = String(node.type ?? "").toUpperCase();
    const properties = isObject(node.properties) ? node.properties : undefined;
    if (type === "ARRAY" && node.items === undefined) return `${where}.items: missing field.`;
    if (path.length === 0 && type === "OBJECT" && properties && Object.keys(properties).length === 0)
      return `${where}.properties: should be non-empty for OBJECT type`;
    for (const [index, name] of (Array.isArray(node.required) ? node.required : []).entries())
      if (!properties || !(String(name) in properties))
        return `${where}.required[${index}]: property is not defined`;
    const formats = PROTO_FORMATS[type];
    if (node.format !== undefined && formats && !formats.includes(String(node.format)))
      return `${where}.format: only '${formats.join("' and '")}' are supported for ${type} type`;
    if (Array.isArray(node.enum) && node.enum.includes(""))
      return `${where}.enum[${node.enum.indexOf("")}]: cannot be empty`;
  }
  return undefined;
}
