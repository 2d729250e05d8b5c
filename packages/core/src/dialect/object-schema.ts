import type { Lose } from "../ir/loss.ts";
import { isObject, type Json, type JsonObject, put, sameJson, toArray, toObject } from "../json/json.ts";
import { mergeSchemas } from "./merge.ts";
import { type Definitions, nameIn } from "./references.ts";
import { sanitize } from "./sanitize.ts";

/** Members that a tool's schema may not have at its top, beside references. */
const combining = ["allOf", "anyOf", "oneOf"];
const limiting = ["enum", "const", "not"];
/** Alternatives inside alternatives multiply: a schema of more is cut. */
const MAX_STEPS = 2_000;

/** Checks whether a schema is of an object, without references, alternatives or limits beside its properties. */
export const isPlainObject = (schema: JsonObject): boolean =>
  (schema.type === "object" || schema.type === undefined || schema.type === null) &&
  schema.$ref === undefined &&
  ![...combining, ...limiting].some((key) => Object.hasOwn(schema, key));

/** The schema with the members `type` and `properties` of an object. */
export const withProperties = (schema: JsonObject): JsonObject =>
  schema.type === "object" && isObject(schema.properties)
    ? schema
    : { ...schema, type: "object", properties: toObject(schema.properties) };

/**
 * The schema of an object, for targets whose tools take nothing else at the top: references and conjunctions are put
 * in place, and alternatives become one object that has the properties of them all.
 */
export function toObjectSchema(
  schema: JsonObject,
  definitions: Definitions,
  lose: Lose,
  path: string,
): JsonObject {
  const object = new Flattener(definitions, lose, path).flatten(schema, []);
  if (!object) lose(path, "approximated", "the arguments of a tool are an object");
  return withProperties(object ?? {});
}

class Flattener {
  readonly #definitions: Definitions;
  readonly #sanitize: (node: JsonObject) => JsonObject;
  readonly #lose: (key: string, why: "unsupported" | "approximated", detail: string) => void;
  #steps = MAX_STEPS;

  constructor(definitions: Definitions, lose: Lose, path: string) {
    this.#definitions = definitions;
    this.#sanitize = (node) => sanitize(node, lose, path);
    const seen = new Set<string>();
    this.#lose = (key, why, detail) => {
      const place = key === "" ? path : `${path}/${key}`;
      if (!seen.has(place + detail)) lose(place, why, detail);
      seen.add(place + detail);
    };
  }

  /** One object; nothing where the schema allows no object. */
  flatten(schema: Json, refs: readonly string[]): JsonObject | undefined {
    if (schema === false) return undefined;
    if (!isObject(schema)) return {};
    const lists: { key: string; branches: Json[]; refs: readonly string[] }[] = [];
    const joined = this.#join(schema, refs, lists);
    if (!joined) return undefined;
    const types = (Array.isArray(joined.type) ? joined.type : [joined.type]).filter(
      (type) => typeof type === "string",
    );
    if (types.length > 0 && !types.includes("object")) return undefined;
    for (const key of limiting)
      if (Object.hasOwn(joined, key)) {
        this.#lose(key, "unsupported", "refused at the top of a tool's schema");
        delete joined[key];
      }
    let out: JsonObject = { ...joined, type: "object" };
    for (const { key, branches, refs: from } of lists) {
      this.#lose(key, "approximated", "the alternatives became one object");
      const objects = branches.flatMap((branch): JsonObject[] => {
        const object = this.flatten(branch, from);
        return object ? [object] : [];
      });
      out = this.#merge(out, mergeAlternatives(objects));
    }
    return out;
  }

  /** The node with what it refers to and what `allOf` lists, but without the alternatives, which are added to `lists`. */
  #join(
    schema: JsonObject,
    refs: readonly string[],
    lists: { key: string; branches: Json[]; refs: readonly string[] }[],
  ): JsonObject | undefined {
    const { $ref: _, allOf, anyOf, oneOf, ...node } = this.#sanitize(schema);
    this.#steps -= 1;
    if (this.#steps < 0) {
      this.#lose("", "approximated", "the schema is too large to be written as one object");
      return node;
    }
    for (const [key, list] of Object.entries({ anyOf, oneOf }))
      if (toArray(list).length > 0) lists.push({ key, branches: toArray(list), refs });
    let out: JsonObject | undefined = node;
    const add = (part: Json, from: readonly string[]): void => {
      if (part === false) out = undefined;
      if (!isObject(part) || !out) return;
      const inner = this.#join(part, from, lists);
      out = inner && this.#merge(out, inner);
    };
    const name = nameIn(schema);
    if (name !== undefined) {
      if (refs.includes(name)) this.#lose("", "approximated", `the recursion through ${name} is cut here`);
      else add(this.#definitions.get(name) ?? true, [...refs, name]);
    }
    for (const part of toArray(allOf)) add(part, refs);
    return out;
  }

  #merge(first: JsonObject, second: JsonObject): JsonObject {
    return mergeSchemas(first, second, (key) =>
      this.#lose(key, "approximated", "only one of several values can be kept"),
    );
  }
}

/** Merges alternatives into one object that accepts each of them, as far as one schema can express that. */
function mergeAlternatives(objects: JsonObject[]): JsonObject {
  const [first, ...others] = objects;
  if (!first) return {};
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(first))
    if (key !== "properties" && key !== "required" && others.every((other) => sameJson(other[key], value)))
      put(out, key, value);
  const required = toArray(first.required).filter((name) =>
    others.every((other) => toArray(other.required).includes(name)),
  );
  if (required.length > 0) out.required = required;
  out.properties = mergeAlternativeProperties(objects.map(({ properties }) => toObject(properties)));
  return out;
}

function mergeAlternativeProperties(all: JsonObject[]): JsonObject {
  const variants = new Map<string, Json[]>();
  for (const properties of all)
    for (const [name, schema] of Object.entries(properties)) {
      const known = variants.get(name) ?? [];
      if (!known.some((one) => sameJson(one, schema))) variants.set(name, [...known, schema]);
    }
  const out: JsonObject = {};
  for (const [name, schemas] of variants)
    put(out, name, schemas.length === 1 ? (schemas[0] as Json) : (joinValues(schemas) ?? { anyOf: schemas }));
  return out;
}

/** Joins schemas of fixed values, such as the tags of a union, into one list; `undefined` for other schemas. */
function joinValues(schemas: Json[]): JsonObject | undefined {
  const nodes = schemas.map((schema) => {
    const { const: fixed, enum: values, type, ...annotations } = toObject(schema);
    const list = fixed !== undefined ? [fixed] : toArray(values);
    return {
      list,
      type,
      plain: Object.keys(annotations).every((key) => key === "description" || key === "title"),
    };
  });
  const [first] = nodes;
  if (
    !first ||
    !nodes.every(({ list, type, plain }) => plain && list.length > 0 && sameJson(type, first.type))
  )
    return undefined;
  const values = nodes.flatMap(({ list }) => list);
  return {
    ...(first.type !== undefined && { type: first.type }),
    enum: values.filter((value, i) => values.findIndex((one) => sameJson(one, value)) === i),
  };
}
