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

const least = new Set(["maximum", "exclusiveMaximum", "maxItems", "maxLength", "maxProperties"]);
const most = new Set(["minimum", "exclusiveMinimum", "minItems", "minLength", "minProperties"]);

/** Names a keyword of which only the first schema's value was kept. */
type Clash = (key: string) => void;

/** One schema that holds where both hold. Annotations are the first one's. */
export function mergeSchemas(first: JsonObject, second: JsonObject, clash: Clash = () => {}): JsonObject {
  const out: JsonObject = { ...first };
  for (const [key, value] of Object.entries(second))
    put(out, key, Object.hasOwn(out, key) ? meet(key, out[key] as Json, value, clash) : value);
  for (const key of ["additionalProperties", "unevaluatedProperties"])
    if (isClosedTo(first, second, key) || isClosedTo(second, first, key)) clash(key);
  return out;
}

/** Checks whether the one says something about names that only the other knows. */
const isClosedTo = (one: JsonObject, other: JsonObject, key: string): boolean => {
  if (one[key] === undefined || one[key] === true) return false;
  const known = toObject(one.properties);
  return (
    other.patternProperties !== undefined ||
    Object.keys(toObject(other.properties)).some((name) => !Object.hasOwn(known, name))
  );
};

function meet(key: string, a: Json, b: Json, clash: Clash): Json {
  const first = (): Json => {
    if (!annotations.includes(key) && !sameJson(a, b)) clash(key);
    return a;
  };
  if (least.has(key) || most.has(key)) {
    const [x, y] = [numberOf(a), numberOf(b)];
    if (x === undefined || y === undefined) return x === undefined ? b : a;
    return least.has(key) ? Math.min(x, y) : Math.max(x, y);
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
      return isObject(a) && isObject(b) ? both(a, b) : first();
    case "allOf":
      return [...toArray(a), ...toArray(b)];
    case "anyOf":
    case "oneOf":
      // Each of the first's branches may be combined with any of the second's.
      return toArray(a).map((branch) => both(branch, { [key]: b }));
    default:
      return first();
  }
}

const toTypes = (type: Json): Json[] => (Array.isArray(type) ? type : [type]);
/** Resolved where it is read, so that references inside are followed from there. */
const both = (a: Json, b: Json): Json => ({ allOf: [a, b] });

function common(a: Json[], b: Json[]): Json[] | undefined {
  const shared = a.filter((x) => b.some((y) => sameJson(x, y)));
  // An integer is a number: the narrower word is what both allow.
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
    put(out, name, Object.hasOwn(out, name) ? both(out[name] as Json, schema) : schema);
  return out;
}
