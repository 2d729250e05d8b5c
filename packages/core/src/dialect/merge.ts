import {
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  put,
  sameJson,
  toArray,
  toObject,
} from "../json/json.ts";
import { annotations } from "./values.ts";

const upperBounds = new Set(["maximum", "exclusiveMaximum", "maxItems", "maxLength", "maxProperties"]);
const lowerBounds = new Set(["minimum", "exclusiveMinimum", "minItems", "minLength", "minProperties"]);

/** Reports a keyword of which only the first schema's value is kept. */
type ReportConflict = (key: string) => void;

/** Merges two schemas into one that accepts what both accept. Annotations are those of the first. */
export function mergeSchemas(
  first: JsonObject,
  second: JsonObject,
  clash: ReportConflict = () => {},
): JsonObject {
  const out: JsonObject = { ...first };
  for (const [key, value] of Object.entries(second))
    put(out, key, Object.hasOwn(out, key) ? mergeKeyword(key, out[key] as Json, value, clash) : value);
  for (const key of ["additionalProperties", "unevaluatedProperties"])
    if (limitsOtherNames(first, second, key) || limitsOtherNames(second, first, key)) clash(key);
  return out;
}

/** Checks whether one schema limits properties that only the other declares. */
const limitsOtherNames = (one: JsonObject, other: JsonObject, key: string): boolean => {
  if (one[key] === undefined || one[key] === true) return false;
  const known = toObject(one.properties);
  return (
    other.patternProperties !== undefined ||
    Object.keys(toObject(other.properties)).some((name) => !Object.hasOwn(known, name))
  );
};

function mergeKeyword(key: string, a: Json, b: Json, clash: ReportConflict): Json {
  const first = (): Json => {
    if (!annotations.includes(key) && !sameJson(a, b)) clash(key);
    return a;
  };
  if (upperBounds.has(key) || lowerBounds.has(key)) {
    const [x, y] = [numberOf(a), numberOf(b)];
    if (x === undefined || y === undefined) return x === undefined ? b : a;
    return upperBounds.has(key) ? Math.min(x, y) : Math.max(x, y);
  }
  switch (key) {
    case "properties":
      return mergeProperties(toObject(a), toObject(b));
    case "required":
      return [...new Set([...toArray(a), ...toArray(b)])];
    case "type":
      return common(toTypes(a), toTypes(b)) ?? first();
    case "enum":
      return common(toArray(a), toArray(b)) ?? first();
    case "items":
      return isObject(a) && isObject(b) ? conjunctionOf(a, b) : first();
    case "allOf":
      return [...toArray(a), ...toArray(b)];
    case "anyOf":
    case "oneOf":
      // Each branch of the first is combined with all branches of the second.
      return toArray(a).map((branch) => conjunctionOf(branch, { [key]: b }));
    default:
      return first();
  }
}

const toTypes = (type: Json): Json[] => (Array.isArray(type) ? type : [type]);
/** Both schemas. They are merged when the schema is read, so that references in them are resolved there. */
const conjunctionOf = (a: Json, b: Json): Json => ({ allOf: [a, b] });

function common(a: Json[], b: Json[]): Json[] | undefined {
  const shared = a.filter((x) => b.some((y) => sameJson(x, y)));
  // Every integer is a number, so "integer" is what both allow.
  for (const [narrow, wide] of [
    [a, b],
    [b, a],
  ] as const)
    if (narrow.includes("integer") && wide.includes("number") && !shared.includes("integer"))
      shared.push("integer");
  return shared.length > 0 ? shared : undefined;
}

function mergeProperties(a: JsonObject, b: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const [name, schema] of Object.entries(a)) put(out, name, schema);
  for (const [name, schema] of Object.entries(b))
    put(out, name, Object.hasOwn(out, name) ? conjunctionOf(out[name] as Json, schema) : schema);
  return out;
}
