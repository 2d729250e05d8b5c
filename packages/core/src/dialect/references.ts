import { ignoreLosses, type Lose } from "../ir/loss.ts";
import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { mapSchemas, pointerStep } from "./places.ts";

/** Definitions by their names; references to them are spelled `#/$defs/NAME`. */
export type Definitions = ReadonlyMap<string, Json>;

const PREFIX = "#/$defs/";
/** The most nodes in definitions, which may contain one another. */
const MAX_NODES = 20_000;

/** Finds the target of a reference within the document. */
export function find(root: Json, ref: string): Json | undefined {
  if (!ref.startsWith("#")) return undefined;
  const pointer = decode(ref.slice(1));
  if (pointer !== "" && !pointer.startsWith("/")) return anchored(root, pointer);
  let place: Json | undefined = root;
  for (const token of pointer.split("/").slice(1)) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, key)) return undefined;
    place = (place as JsonObject)[key];
  }
  return place;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function anchored(root: Json, anchor: string): Json | undefined {
  if (!isObject(root)) return undefined;
  const definitions = [root.$defs, root.definitions].flatMap((map) =>
    isObject(map) ? Object.values(map) : [],
  );
  return definitions.find((schema) => isObject(schema) && schema.$anchor === anchor);
}

/** Checks whether a schema refers to anything. */
export function hasReferences(schema: Json): boolean {
  if (!isObject(schema)) return false;
  if (typeof schema.$ref === "string") return true;
  let found = false;
  mapSchemas(schema, (inner) => {
    found ||= hasReferences(inner);
    return inner;
  });
  return found;
}

/** The name of the definition that a node of a hoisted schema refers to. */
export const nameIn = (node: JsonObject): string | undefined =>
  typeof node.$ref === "string" ? node.$ref.slice(PREFIX.length) : undefined;

/** A name that needs no escapes in a pointer or an address. */
const plainName = (ref: string): string =>
  decode(ref.slice(ref.lastIndexOf("/") + 1))
    .replace(/[^A-Za-z0-9._-]/g, "_")
    .replace(/^_*$/, "root");

/**
 * The schema with all that it refers to as definitions, so that it can be taken apart: a reference to a place inside
 * it would break when the place moves. References that lead nowhere are lost.
 */
export function hoist(
  root: JsonObject,
  lose: Lose,
  path: string,
): { body: JsonObject; definitions: Definitions } {
  const names = new Map<string, string | undefined>();
  const definitions = new Map<string, Json>();
  const taken = new Set<string>();
  const waiting: { name: string; target: Json }[] = [];
  let nodes = 0;
  const name = (ref: string): string | undefined => {
    if (names.has(ref)) return names.get(ref);
    const target = nodes > MAX_NODES ? undefined : find(root, ref);
    const base = plainName(ref);
    let free = base;
    for (let n = 2; taken.has(free); n++) free = `${base}_${n}`;
    names.set(ref, target === undefined ? undefined : free);
    if (target === undefined) return undefined;
    taken.add(free);
    waiting.push({ name: free, target });
    return free;
  };
  const relocate = (schema: Json, at: string): Json => {
    if (!isObject(schema)) return schema;
    nodes += 1;
    const { $defs: _, definitions: _d, $ref, ...node } = schema;
    const inner = mapSchemas(node, (child, below) => relocate(child, at + below));
    if (typeof $ref !== "string") return inner;
    const target = name($ref);
    if (target !== undefined) return { $ref: PREFIX + target, ...inner };
    lose(at, "unsupported", `${$ref} leads nowhere`);
    return inner;
  };
  const body = relocate(root, path) as JsonObject;
  for (let next = waiting.pop(); next; next = waiting.pop())
    definitions.set(
      next.name,
      relocate(next.target, `${path}${pointerStep("$defs")}${pointerStep(next.name)}`),
    );
  return { body, definitions };
}

/** The names of definitions that lead back to themselves, or lie between two that do. */
export function cyclesIn(definitions: Definitions): ReadonlySet<string> {
  const edges = new Map([...definitions].map(([name, schema]) => [name, new Set(namesIn(schema))]));
  const left = new Set(definitions.keys());
  const reversed = new Map<string, Set<string>>([...left].map((name) => [name, new Set()]));
  for (const [name, targets] of edges) for (const target of targets) reversed.get(target)?.add(name);
  // A definition without references, or to which nothing refers, is in no cycle.
  for (const graph of [
    { out: edges, back: reversed },
    { out: reversed, back: edges },
  ]) {
    const counts = new Map(
      [...left].map((name) => [name, [...(graph.out.get(name) ?? [])].filter((to) => left.has(to)).length]),
    );
    const ends = [...left].filter((name) => counts.get(name) === 0);
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
      left.delete(end);
      for (const from of graph.back.get(end) ?? []) {
        if (!left.has(from)) continue;
        const count = (counts.get(from) ?? 0) - 1;
        counts.set(from, count);
        if (count === 0) ends.push(from);
      }
    }
  }
  return left;
}

/** Checks whether a schema leads back to itself. */
export function hasCycles(schema: Json): boolean {
  if (!isObject(schema) || !hasReferences(schema)) return false;
  const { definitions } = hoist(schema, ignoreLosses, "");
  return cyclesIn(definitions).size > 0;
}

/** The names that a schema refers to, directly or in schemas inside it. */
export function namesIn(schema: Json): string[] {
  const names: string[] = [];
  const visit = (inner: Json): Json => {
    if (!isObject(inner)) return inner;
    const name = nameIn(inner);
    if (name !== undefined) names.push(name);
    return mapSchemas(inner, visit);
  };
  visit(schema);
  return names;
}
