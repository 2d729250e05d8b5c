import { ignoreLosses } from "../ir/loss.ts";
import { isObject, type Json, type JsonObject, toArray, toObject, toText } from "../json/json.ts";
import type { SchemaForm } from "./forms.ts";
import { normalizeSchema } from "./normalize.ts";
import { mapSchemas } from "./places.ts";
import { hasCycles } from "./references.ts";
import type { SchemaRules } from "./rules.ts";

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
  "patternProperties",
  "propertyNames",
  "unevaluatedProperties",
  "unevaluatedItems",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "contains",
  "minContains",
  "maxContains",
  "not",
  "if",
  "then",
  "else",
]);
const formats = new Set("date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" "));
/** Members whose own members are schemas under names of the user's. */
const maps = new Set(["properties", "$defs", "definitions"]);
/** Members that are schemas, or lists of them. */
const nested = new Set(["items", "anyOf", "allOf", "prefixItems"]);

const isRecord = ({ type, properties }: JsonObject): boolean =>
  type === "object" || toArray(type).includes("object") || (type === undefined && isObject(properties));

const isMap = (schema: Json): boolean =>
  isObject(schema) &&
  isRecord(schema) &&
  schema.additionalProperties !== false &&
  Object.keys(toObject(schema.properties)).length === 0;

function someInnerSchema(schema: Json, test: (schema: Json) => boolean): boolean {
  let found = false;
  if (isObject(schema))
    mapSchemas(schema, (inner) => {
      found ||= test(inner) || someInnerSchema(inner, test);
      return inner;
    });
  return found;
}

/**
 * Checks whether a schema has what the dialect cannot express: an object of any properties, or recursion. An object that
 * is always empty would stand in its place.
 */
export const exceedsConstrained = (schema: Json): boolean =>
  isMap(schema) || someInnerSchema(schema, isMap) || hasCycles(schema);

/** Forms that this dialect refuses beyond those of other schemas. */
const forms: readonly SchemaForm[] = ["conjunctions", "referenceNeighbours", "innerReferences"];

/** A tool's schema in the dialect; `undefined` if objects of any properties or recursion cannot be expressed. */
export function constrainTool(schema: Json, rules: SchemaRules): JsonObject | undefined {
  const written = normalizeSchema(schema, stricter(rules), ignoreLosses, "");
  return someInnerSchema(written, isMap) || hasCycles(written)
    ? undefined
    : (constrain(written) as JsonObject);
}

/** An answer's schema in the dialect. */
export const constrainFormat = (schema: Json, rules: SchemaRules): Json =>
  constrain(normalizeSchema(schema, stricter({ ...rules, object: false }), ignoreLosses, ""));

const stricter = ({ object, refuses }: SchemaRules): SchemaRules => ({
  object,
  refuses: [...refuses, ...forms],
});

/** A schema in the dialect of constrained decoding: closed objects, and no keyword that it does not know. */
function constrain(schema: Json): Json {
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
