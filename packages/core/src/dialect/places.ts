import { isObject, type Json, type JsonObject, put } from "../json/json.ts";

/** The members of a schema that hold schemas: one, a list of them, or one for each of the user's names. */
const places: Readonly<Record<string, "one" | "list" | "map">> = {
  properties: "map",
  patternProperties: "map",
  dependentSchemas: "map",
  dependencies: "map",
  $defs: "map",
  definitions: "map",
  anyOf: "list",
  oneOf: "list",
  allOf: "list",
  prefixItems: "list",
  items: "one",
  additionalItems: "one",
  additionalProperties: "one",
  unevaluatedItems: "one",
  unevaluatedProperties: "one",
  contains: "one",
  contentSchema: "one",
  propertyNames: "one",
  not: "one",
  if: "one",
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: "one",
  else: "one",
};

/** One step of a JSON pointer. */
export const pointerStep = (name: string | number): string =>
  `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** Makes a schema of one inside another; `undefined` takes it out. `below` is the pointer from the one to the other. */
export type MapSchema = (schema: Json, below: string, key: string) => Json | undefined;

/** The node with every schema directly inside it replaced; the node itself if none changes. */
export function mapSchemas(node: JsonObject, map: MapSchema): JsonObject {
  let out = node;
  for (const [key, value] of Object.entries(node)) {
    const kind = Object.hasOwn(places, key) ? places[key] : undefined;
    if (kind === undefined) continue;
    const mapped =
      kind === "map" && isObject(value)
        ? mapMembers(value, (schema, name) => map(schema, pointerStep(key) + pointerStep(name), key))
        : Array.isArray(value)
          ? mapList(value, (schema, i) => map(schema, pointerStep(key) + pointerStep(i), key))
          : kind === "one"
            ? map(value, pointerStep(key), key)
            : value;
    if (mapped === value) continue;
    if (out === node) out = { ...node };
    if (mapped === undefined) delete out[key];
    else out[key] = mapped;
  }
  return out;
}

function mapMembers(members: JsonObject, map: (schema: Json, name: string) => Json | undefined): JsonObject {
  const out: JsonObject = {};
  let changed = false;
  for (const [name, value] of Object.entries(members)) {
    const mapped = map(value, name);
    if (mapped !== undefined) put(out, name, mapped);
    changed ||= mapped !== value;
  }
  return changed ? out : members;
}

function mapList(list: Json[], map: (schema: Json, i: number) => Json | undefined): Json[] {
  const out = list.map(map);
  const changed = out.some((schema, i) => schema !== list[i]);
  return changed ? out.filter((schema) => schema !== undefined) : list;
}

/** The number of schemas in a schema, itself included. */
export function countNodes(schema: Json): number {
  if (!isObject(schema)) return 1;
  let count = 1;
  mapSchemas(schema, (inner) => {
    count += countNodes(inner);
    return inner;
  });
  return count;
}
