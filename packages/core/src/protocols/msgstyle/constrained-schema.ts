import { isObject, type Json, type JsonObject, toArray, toText } from "../../json/json.ts";

/** Keywords that constrained decoding does not know. */
const refused = new Set([
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
]);
const formats = new Set("date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" "));
/** Members whose own members are schemas under names of the user's. */
const maps = new Set(["properties", "$defs", "definitions"]);
/** Members that are schemas, or lists of them. */
const nested = new Set(["items", "anyOf", "allOf", "prefixItems"]);

const isRecord = ({ type, properties }: JsonObject): boolean =>
  type === "object" || toArray(type).includes("object") || (type === undefined && isObject(properties));

/** A schema in the dialect of constrained decoding: closed objects, and no keyword that it does not know. */
export function constrain(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(constrain);
  if (!isObject(schema)) return schema;
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (refused.has(key) || key === "additionalProperties") continue;
    if (key === "minItems" && Number(value) > 1) out.minItems = 1;
    else if (key === "format" && !formats.has(toText(value))) continue;
    else if (key === "oneOf") out.anyOf = [...toArray(schema.anyOf), ...toArray(value)].map(constrain);
    else if (key === "anyOf" && schema.oneOf !== undefined) continue;
    else if (maps.has(key) && isObject(value))
      out[key] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, constrain(inner)]));
    else out[key] = nested.has(key) ? constrain(value) : value;
  }
  if (isRecord(schema)) out.additionalProperties = false;
  return out;
}

const objectOf = (schema: Json | undefined): JsonObject => (isObject(schema) ? schema : {});

/** A tool's schema with an object at the top and no alternatives there: each would be refused. */
export function flatten(schema: Json): JsonObject {
  const { anyOf, oneOf, allOf, type, ...base } = objectOf(schema);
  const some = [...toArray(anyOf), ...toArray(oneOf)].map(objectOf);
  const all = toArray(allOf).map(objectOf);
  if (some.length + all.length === 0) return { ...objectOf(schema), type: "object" };
  const branches = [...all, ...some];
  const demanded = some.map(({ required }) => toArray(required));
  const required = [
    ...toArray(base.required),
    ...all.flatMap((branch) => toArray(branch.required)),
    // Of alternatives, only the demands that each of them has hold in any case.
    ...(demanded[0] ?? []).filter((name) => demanded.every((names) => names.includes(name))),
  ];
  const properties = Object.fromEntries(
    [...branches, base].flatMap((branch) => Object.entries(objectOf(branch.properties))),
  );
  return {
    ...base,
    type: "object",
    properties,
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}
