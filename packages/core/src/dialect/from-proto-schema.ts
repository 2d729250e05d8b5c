import { isObject, type Json, type JsonObject, numberOf, put, textOf, toArray } from "../json/json.ts";

/** Members that only the smaller dialect has, or that have no meaning outside it. */
const dropped = new Set(["propertyOrdering", "example", "nullable", "type", "format", "enum"]);
/** Counts, which the proto's JSON may spell as text. */
const counts = new Set([
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "minProperties",
  "maxProperties",
  "minimum",
  "maximum",
]);
const MAX_DEPTH = 64;

/**
 * JSON Schema of a schema in the smaller dialect that mirrors a proto: types in lower case, `nullable` as a union
 * with null, counts as numbers. Names of properties are never keywords.
 */
export function fromProtoSchema(schema: Json, depth = 0): Json {
  if (!isObject(schema) || depth > MAX_DEPTH) return schema;
  const type = typeOf(schema);
  const nullable = schema.nullable === true;
  const out: JsonObject = {};
  if (type !== undefined) out.type = nullable && type !== "null" ? [type, "null"] : type;
  const format = textOf(schema.format);
  if (format !== undefined && format !== "enum") out.format = format;
  if (Array.isArray(schema.enum)) out.enum = membersOf(schema.enum, type, nullable);
  for (const [key, value] of Object.entries(schema))
    if (!dropped.has(key) && !(key === "items" && value === null)) put(out, key, member(key, value, depth));
  if (nullable && type === undefined && Array.isArray(out.anyOf)) out.anyOf.push({ type: "null" });
  return out;
}

/** The type; undefined where the proto has none, which it may spell in words or as an empty text. */
function typeOf(schema: JsonObject): string | undefined {
  const type = textOf(schema.type)?.toLowerCase();
  return type === "type_unspecified" || type === "" ? undefined : type;
}

function membersOf(members: Json[], type: string | undefined, nullable: boolean): Json[] {
  const numeric = type === "number" || type === "integer";
  const read = (value: Json): Json => {
    const number = numeric && typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
    return Number.isFinite(number) ? number : value;
  };
  const list = members.map(read);
  return nullable && !list.includes(null) ? [...list, null] : list;
}

function member(key: string, value: Json, depth: number): Json {
  if (counts.has(key)) return typeof value === "string" ? (numberOf(Number(value)) ?? value) : value;
  if (key === "items") return fromProtoSchema(value, depth + 1);
  if (key === "anyOf") return toArray(value).map((branch) => fromProtoSchema(branch, depth + 1));
  if (key !== "properties" || !isObject(value)) return value;
  const properties: JsonObject = {};
  for (const [name, schema] of Object.entries(value))
    put(properties, name, fromProtoSchema(schema, depth + 1));
  return properties;
}
