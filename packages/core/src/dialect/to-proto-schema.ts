import { ignoreLosses, type Lose } from "../ir/loss.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  put,
  sameJson,
  textOf,
  toArray,
} from "../json/json.ts";
import { fromProtoSchema } from "./from-proto-schema.ts";
import { normalizeSchema } from "./normalize.ts";
import { type Context, flatten, MAX_DEPTH } from "./resolve.ts";
import { annotations, keywords, narrow, typesOf, valuesOf } from "./values.ts";

const MAX_STEPS = 8_000;

/** The formats that the dialect knows of each type. */
const formats: Record<string, readonly string[]> = {
  string: ["enum", "date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
};

/** Keywords that limit values and that the dialect has no word for. */
const constraints = [
  "patternProperties",
  "propertyNames",
  "unevaluatedProperties",
  "unevaluatedItems",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "if",
  "then",
  "else",
  "not",
  "multipleOf",
  "uniqueItems",
  "contains",
  "contentEncoding",
  "contentMediaType",
];

/**
 * A JSON Schema in the smaller dialect that mirrors a proto, whose servers refuse every keyword that they do not
 * know; with an object at the top if `object` is set. Total: references are put in place, recursion is cut, and what has
 * no word is lost under `path`.
 */
export function toProtoSchema(schema: Json, lose: Lose, path: string, object = false): JsonObject {
  const root = object ? normalizeSchema(schema, { object, refuses: [] }, lose, path) : schema;
  const out = convert(root, path, [], 0, { root, lose, steps: { remaining: MAX_STEPS } }) ?? {};
  if (!sameJson(fromProtoSchema(out), schema))
    lose(path, "approximated", "written in a smaller dialect of schemas");
  return out;
}

type Refs = readonly string[];

/** One node; nothing where no value satisfies it. */
function convert(
  schema: Json,
  path: string,
  refs: Refs,
  depth: number,
  context: Context,
): JsonObject | undefined {
  if (schema === false) return undefined;
  if (!isObject(schema)) return {};
  if (context.steps.remaining <= 0 || depth > MAX_DEPTH) {
    context.lose(path, "approximated", "the schema is too large to be written out");
    return { type: "OBJECT" };
  }
  const flat = flatten(schema, path, refs, context);
  const { node } = flat;
  const inner = (child: Json, below: string): JsonObject | undefined =>
    convert(child, `${path}/${below}`, flat.refs, depth + 1, context);
  const list = ["anyOf", "oneOf"].find((key) => toArray(node[key]).length > 0);
  if (list) return union(node, list, path, flat.refs, depth, context);
  const types = typesOf(node);
  const nullable = node.nullable === true || types.includes("null");
  const rest = types.filter((type) => type !== "null");
  const branches = rest.length > 1 ? rest.map((type) => inner(narrow(node, type), "type") ?? {}) : [];
  const out =
    rest.length > 1
      ? { ...annotated(node), anyOf: branches }
      : single(node, rest[0] ?? (types.includes("null") ? "string" : undefined), path, inner, context.lose);
  for (const key of constraints) if (node[key] !== undefined) context.lose(`${path}/${key}`, "unsupported");
  return nullable ? { ...out, nullable: true } : out;
}

const copy = (key: string, from: JsonObject, to: JsonObject): void => {
  const value = from[key];
  if (typeof value === "number" || (key === "pattern" && typeof value === "string")) to[key] = value;
};

function annotated(node: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const key of annotations)
    if (node[key] !== undefined && node[key] !== null) out[key] = node[key] as Json;
  return out;
}

/** Alternatives. A node may not have a type beside them, so what it says itself goes into each. */
function union(
  node: JsonObject,
  key: string,
  path: string,
  refs: Refs,
  depth: number,
  context: Context,
): JsonObject | undefined {
  const outer: JsonObject = {};
  for (const [name, value] of Object.entries(node))
    if (name !== key && name !== "nullable" && !annotations.includes(name)) put(outer, name, value);
  const isNull = (branch: Json): boolean => {
    const types = isObject(branch)
      ? typesOf(flatten(branch, path, refs, { ...context, lose: ignoreLosses }).node)
      : [];
    return types.length === 1 && types[0] === "null";
  };
  const all = toArray(node[key]);
  const some = all.filter((branch) => !isNull(branch));
  const nulls = node.nullable === true || some.length < all.length;
  const hasOuter = Object.keys(outer).length > 0;
  const written: JsonObject[] = [];
  for (const [i, branch] of some.entries()) {
    const whole = hasOuter && isObject(branch) ? { allOf: [branch, outer] } : branch;
    const proto = convert(whole, `${path}/${key}/${i}`, refs, depth + 1, context);
    if (proto && !written.some((one) => sameJson(one, proto))) written.push(proto);
  }
  const nodeAnnotations = annotated(node);
  const nullable: JsonObject = nulls ? { nullable: true } : {};
  const [only] = written;
  if (written.length > 1) return { ...nodeAnnotations, ...nullable, anyOf: written };
  if (!only) return nulls ? { type: "STRING", ...nodeAnnotations, ...nullable } : undefined;
  return { ...only, ...nodeAnnotations, ...nullable };
}

type Inner = (child: Json, below: string) => JsonObject | undefined;

function single(
  node: JsonObject,
  type: string | undefined,
  path: string,
  inner: Inner,
  lose: Lose,
): JsonObject {
  const out: JsonObject = { ...(type !== undefined && { type: type.toUpperCase() }), ...annotated(node) };
  const format = textOf(node.format);
  if (format !== undefined && type !== undefined) {
    if (formats[type]?.includes(format)) out.format = format;
    else lose(`${path}/format`, "unsupported");
  }
  limitValues(node, type, out, path, lose);
  if (type === "object") writeObject(node, out, path, inner, lose);
  if (type === "array") writeArray(node, out, path, inner, lose);
  if (type === "string") for (const key of keywords.string ?? []) copy(key, node, out);
  if (type === "number" || type === "integer") writeBounds(node, type, out, path, lose);
  return out;
}

/** Writes an `enum`, which holds text: only text and numbers fit. */
function limitValues(
  node: JsonObject,
  type: string | undefined,
  out: JsonObject,
  path: string,
  lose: Lose,
): void {
  const values = valuesOf(node)?.filter((value) => value !== null);
  if (!values || type === undefined) return;
  if (type === "string" || type === "number" || type === "integer") {
    const expressible = values.filter((value) => typeof value !== "object" && value !== "").map(String);
    if (expressible.length < values.length)
      lose(`${path}/enum`, "approximated", "values that cannot be expressed are left out");
    if (expressible.length === 0) return;
    out.enum = expressible;
    if (type !== "string") out.format = "enum";
    return;
  }
  if (type === "boolean" && new Set(values).size > 1) return;
  const note = `Allowed values: ${values.map((value) => JSON.stringify(value)).join(", ")}.`;
  out.description = typeof out.description === "string" ? `${out.description} ${note}` : note;
  lose(`${path}/enum`, "approximated", "became part of the description");
}

function writeObject(node: JsonObject, out: JsonObject, path: string, inner: Inner, lose: Lose): void {
  if (isObject(node.additionalProperties)) lose(`${path}/additionalProperties`, "unsupported");
  for (const key of ["minProperties", "maxProperties"]) copy(key, node, out);
  if (!isObject(node.properties)) return;
  const properties: JsonObject = {};
  for (const [name, schema] of Object.entries(node.properties)) {
    const written = inner(schema, `properties/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    if (written) put(properties, name, written);
  }
  if (Object.keys(properties).length > 0) out.properties = properties;
  for (const key of ["required", "propertyOrdering"]) {
    const names = toArray(node[key]);
    const known = names.filter((name) => typeof name === "string" && Object.hasOwn(properties, name));
    if (known.length < names.length)
      lose(`${path}/${key}`, "approximated", "only names of properties are allowed here");
    if (known.length > 0) out[key] = known;
  }
}

function writeArray(node: JsonObject, out: JsonObject, path: string, inner: Inner, lose: Lose): void {
  const tuple = Array.isArray(node.items) ? node.items : toArray(node.prefixItems);
  const members = [...tuple, ...(isObject(node.items) ? [node.items] : [])];
  const written: JsonObject[] = [];
  for (const [i, member] of members.entries()) {
    const proto = inner(member, tuple.length > 0 ? `items/${i}` : "items");
    if (proto && !written.some((one) => sameJson(one, proto))) written.push(proto);
  }
  if (tuple.length > 0) lose(`${path}/items`, "approximated", "the order of the members is lost");
  // Arrays that do not say what they hold are refused.
  if (written.length === 0)
    lose(`${path}/items`, "approximated", "arrays without a type of items contain text");
  for (const key of ["minItems", "maxItems"]) copy(key, node, out);
  out.items = written.length > 1 ? { anyOf: written } : (written[0] ?? { type: "STRING" });
}

/** Bounds are inclusive; an integer beyond an exclusive one is the next integer. */
function writeBounds(node: JsonObject, type: string, out: JsonObject, path: string, lose: Lose): void {
  const sides = [
    { key: "minimum", strict: "exclusiveMinimum", next: (n: number) => Math.floor(n) + 1, pick: Math.max },
    { key: "maximum", strict: "exclusiveMaximum", next: (n: number) => Math.ceil(n) - 1, pick: Math.min },
  ];
  for (const { key, strict, next, pick } of sides) {
    const bound = numberOf(node[key]);
    // The oldest drafts have a flag beside the bound instead of a bound of its own.
    const excluded = node[strict] === true ? bound : numberOf(node[strict]);
    if (excluded !== undefined && type === "number")
      lose(`${path}/${strict}`, "approximated", "the bound itself is allowed");
    const inclusive = excluded === undefined ? undefined : type === "integer" ? next(excluded) : excluded;
    const all = [bound, inclusive].filter((value) => value !== undefined);
    if (all.length > 0) out[key] = pick(...all);
  }
}
