import type { Lose } from "../ir/loss.ts";
import { isObject, type Json, type JsonObject, put, toArray, toObject } from "../json/json.ts";
import { mergeSchemas } from "./merge.ts";
import { countNodes } from "./places.ts";
import { isCommon } from "./regular-expressions.ts";
import { annotations, guessTypes, types, valuesOf } from "./values.ts";

/**
 * Forms of JSON Schema that some targets refuse and that can be said otherwise:
 *
 * - `references`: any `$ref`; what it leads to is put in its place, and recursion is cut
 * - `referenceNeighbours`: members beside a `$ref`, other than those that begin with `$`
 * - `innerReferences`: a `$ref` that leads to a place other than a definition below `$defs`
 * - `requiredCycles`: recursion through a required property
 * - `conjunctions`: `allOf`
 * - `booleans`: `true` and `false` as schemas of properties, items and alternatives
 * - `schemaName`: `$schema`
 * - `untypedItems`: an array without `items`
 * - `untyped`: a schema that names no type
 * - `alternativeNeighbours`: members beside `anyOf` or `oneOf` that limit values, such as `type`
 * - `undeclaredRequired`: a required property that is not among the properties
 * - `rarePatterns`: regular expressions that not every engine reads, such as those that look around
 */
export const schemaForms = [
  "references",
  "referenceNeighbours",
  "innerReferences",
  "requiredCycles",
  "conjunctions",
  "booleans",
  "schemaName",
  "untypedItems",
  "untyped",
  "alternativeNeighbours",
  "undeclaredRequired",
  "rarePatterns",
] as const;
export type SchemaForm = (typeof schemaForms)[number];

/** The nodes that may still be written by copying schemas: those that fan out would grow without end. */
export interface Budget {
  remaining: number;
}

type Rewrite = (node: JsonObject, lose: Lose, path: string, budget: Budget) => JsonObject;

/** The forms that one node shows by itself, in the order in which they are rewritten. */
export const rewrites: readonly [form: SchemaForm, rewrite: Rewrite][] = [
  ["schemaName", (node) => (node.$schema === undefined ? node : without(node, "$schema"))],
  ["rarePatterns", withoutRarePatterns],
  ["booleans", withoutForbidden],
  ["undeclaredRequired", declareRequired],
  ["untypedItems", (node) => (isArray(node) && node.items === undefined ? { ...node, items: {} } : node)],
  ["alternativeNeighbours", limitBranches],
  ["untyped", nameTypes],
];

const RARE = "left out: not every engine reads this regular expression";

const without = (node: JsonObject, key: string): JsonObject => {
  const { [key]: _, ...rest } = node;
  return rest;
};

/** Checks for an array, perhaps null. A longer list of types is a way to say "anything". */
const isArray = ({ type }: JsonObject): boolean =>
  type === "array" ||
  (Array.isArray(type) &&
    type.includes("array") &&
    type.every((word) => word === "array" || word === "null"));

const alternatives = (node: JsonObject): string[] =>
  ["anyOf", "oneOf"].filter((key) => Array.isArray(node[key]));

/** Takes out regular expressions that a server may refuse together with the request. */
function withoutRarePatterns(node: JsonObject, lose: Lose, path: string): JsonObject {
  const named = Object.entries(toObject(node.patternProperties));
  const kept = named.filter(([pattern]) => isCommon(pattern));
  const isRare = typeof node.pattern === "string" && !isCommon(node.pattern);
  if (!isRare && kept.length === named.length) return node;
  const { pattern, patternProperties, ...left } = node;
  if (isRare) lose(`${path}/pattern`, "approximated", RARE);
  else if (pattern !== undefined) left.pattern = pattern;
  if (kept.length < named.length) lose(`${path}/patternProperties`, "approximated", RARE);
  const patterns: JsonObject = {};
  for (const [name, schema] of kept) put(patterns, name, schema);
  return { ...left, ...(kept.length > 0 && { patternProperties: patterns }) };
}

/** Takes out properties that may not be there. */
function withoutForbidden(node: JsonObject, lose: Lose, path: string): JsonObject {
  const entries = Object.entries(toObject(node.properties));
  const kept = entries.filter(([, schema]) => schema !== false);
  if (kept.length === entries.length) return node;
  lose(`${path}/properties`, "approximated", "a property that is not allowed is left out");
  const properties: JsonObject = {};
  for (const [name, schema] of kept) put(properties, name, schema);
  return { ...node, properties };
}

/** Declares what is required. An undeclared property has the schema that all others have. */
function declareRequired(node: JsonObject): JsonObject {
  const properties = toObject(node.properties);
  const absent = toArray(node.required).filter(
    (name): name is string => typeof name === "string" && !Object.hasOwn(properties, name),
  );
  if (absent.length === 0 || node.additionalProperties === false || node.patternProperties !== undefined)
    return node;
  const declared = { ...properties };
  for (const name of absent) put(declared, name, node.additionalProperties ?? {});
  return { ...node, properties: declared };
}

/** Writes into each branch what stands beside all of them; only the type where that would be too much. */
function limitBranches(node: JsonObject, lose: Lose, path: string, budget: Budget): JsonObject {
  const [key] = alternatives(node);
  if (key === undefined) return node;
  const branches = toArray(node[key]);
  const outer: JsonObject = {};
  const notes: JsonObject = {};
  for (const [name, value] of Object.entries(node))
    if (name !== key) put(annotations.includes(name) || name.startsWith("$") ? notes : outer, name, value);
  if (Object.keys(outer).length === 0) return node;
  const cost = countNodes(outer) * branches.length;
  const affordable = cost <= budget.remaining;
  if (affordable) budget.remaining -= cost;
  const { type, ...others } = outer;
  const common = affordable ? outer : type === undefined ? {} : { type };
  const written = branches.map((branch): Json => {
    if (!isObject(branch)) return branch ? common : branch;
    return mergeSchemas(branch, common, (clash) =>
      lose(`${path}/${clash}`, "approximated", "only one of several values can be kept"),
    );
  });
  return { ...notes, ...(!affordable && others), [key]: written };
}

/** Names the types that the other members speak of, or all. */
function nameTypes(node: JsonObject, lose: Lose, path: string): JsonObject {
  const combined = [...alternatives(node), "$ref", "allOf", "not", "if"].some(
    (key) => node[key] !== undefined,
  );
  if (node.type !== undefined || combined) return node;
  const guessed = guessTypes(node);
  if (guessed.length > 0 && !valuesOf(node))
    lose(`${path}/type`, "approximated", "the type is the one that its other members are for");
  const list = guessed.length > 0 ? guessed : types.filter((type) => type !== "integer");
  return { ...node, type: list.length === 1 ? (list[0] as Json) : list };
}
