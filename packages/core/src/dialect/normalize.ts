import type { Lose } from "../ir/loss.ts";
import { isObject, type Json, type JsonObject, put, sameJson, toArray, toObject } from "../json/json.ts";
import { type Budget, rewrites, type SchemaForm } from "./forms.ts";
import { mergeSchemas } from "./merge.ts";
import { isPlainObject, toObjectSchema, withProperties } from "./object-schema.ts";
import { mapSchemas, pointerStep } from "./places.ts";
import { isPortable } from "./portable.ts";
import { cyclesIn, type Definitions, hasReferences, hoist, nameIn, namesIn } from "./references.ts";
import type { SchemaRules } from "./rules.ts";
import { sanitize } from "./sanitize.ts";

/** The most schemas that are written as copies of others. */
const MAX_COPIES = 4_000;

/** Forms that cannot be rewritten in one node alone. */
const referenceForms: readonly SchemaForm[] = [
  "references",
  "referenceNeighbours",
  "innerReferences",
  "requiredCycles",
  "conjunctions",
];

/**
 * A schema in the forms that a target takes. It allows what the schema allows, except where a loss says otherwise;
 * the same object if there is nothing to change.
 */
export function normalizeSchema(input: Json, rules: SchemaRules, lose: Lose, path: string): JsonObject {
  if (!isObject(input)) {
    if (input !== true) lose(path, "approximated", "a schema is an object");
    return rules.object ? withProperties({}) : {};
  }
  const isWhole =
    !rules.object || (isPlainObject(input) && input.type === "object" && isObject(input.properties));
  if (isWhole && isPortable(input, rules.refuses)) return input;
  const schema = sanitize(input, lose, path);
  const plain = !rules.object || isPlainObject(schema);
  const refers = referenceForms.some((form) => rules.refuses.includes(form)) && hasReferences(schema);
  if (plain && !refers) {
    const writer = new Writer(new Map(), rules, lose);
    const written = writer.write(schema, path);
    return finish(rules.object ? withProperties(written) : written, input);
  }
  const { body, definitions } = hoist(schema, lose, path);
  const top = plain ? body : toObjectSchema(body, definitions, lose, path);
  const writer = new Writer(definitions, rules, lose);
  const written = writer.write(top, path);
  return finish(writer.withDefinitions(rules.object ? withProperties(written) : written, path), input);
}

/** Removes the draft that a rewritten schema names, because it is written in the newest one. */
function finish(written: JsonObject, schema: JsonObject): JsonObject {
  if (sameJson(written, schema)) return schema;
  const { $schema: _, ...rest } = written;
  return rest;
}

/** The context of a node: the definitions inlined on the way to it, and whether it is in one that contains itself. */
interface Place {
  refs?: readonly string[];
  cyclic?: boolean;
}

interface Resolved {
  node: JsonObject;
  refs: readonly string[];
}

class Writer {
  readonly #definitions: Definitions;
  readonly #refuses: ReadonlySet<SchemaForm>;
  readonly #lose: Lose;
  readonly #cycles: ReadonlySet<string>;
  readonly #budget: Budget = { remaining: MAX_COPIES };

  constructor(definitions: Definitions, { refuses }: SchemaRules, lose: Lose) {
    this.#definitions = definitions;
    this.#refuses = new Set(refuses);
    this.#lose = lose;
    this.#cycles = this.#refuses.has("requiredCycles") ? cyclesIn(definitions) : new Set();
  }

  /** `refs` are the definitions that were inlined on the way to the node. */
  write(schema: JsonObject, path: string, { refs = [], cyclic = false }: Place = {}): JsonObject {
    if (refs.length > 0) this.#budget.remaining -= 1;
    const resolved = this.#resolve(sanitize(schema, this.#lose, path), path, refs);
    let { node } = resolved;
    for (const [form, rewrite] of rewrites)
      if (this.#refuses.has(form)) node = rewrite(node, this.#lose, path, this.#budget);
    const written = mapSchemas(node, (child, below, key) =>
      this.#writeChild(child, path + below, key, { refs: resolved.refs, cyclic }),
    );
    return cyclic ? this.#breakCycles(written, path) : written;
  }

  #writeChild(child: Json, path: string, key: string, place: Place): Json | undefined {
    if (isObject(child)) return this.write(child, path, place);
    if (typeof child !== "boolean" || !this.#refuses.has("booleans") || /^(additional|unevaluated)/.test(key))
      return child;
    if (child) return this.write({}, path, place);
    if (key !== "anyOf") this.#lose(path, "approximated", "what allows nothing is left out");
    return undefined;
  }

  /** Inlines the definition that a node refers to, if the target refuses the reference. */
  #resolve(node: JsonObject, path: string, refs: readonly string[]): Resolved {
    const name = nameIn(node);
    if (name === undefined) return this.#join(node, path, refs);
    const { $ref, ...others } = node;
    const neighbours = Object.keys(others).filter((key) => !key.startsWith("$"));
    const all = this.#refuses.has("references");
    if (!all && !(this.#refuses.has("referenceNeighbours") && neighbours.length > 0)) return { node, refs };
    const ends = this.#whyNotInlined(name, refs);
    if (ends !== undefined) {
      this.#lose(path, "approximated", all ? ends : `${neighbours.join(", ")}: refused beside a reference`);
      return { node: all ? { ...this.#typeOf(name), ...others } : { $ref: $ref as string }, refs };
    }
    const target = this.#definitions.get(name) ?? true;
    if (!isObject(target)) return { node: target ? others : { ...others, not: {} }, refs };
    return this.#resolve(this.#merge(others, target, path), path, [...refs, name]);
  }

  /** Merges the schemas of `allOf` into the node, if the target refuses the list. */
  #join(node: JsonObject, path: string, refs: readonly string[]): Resolved {
    if (!this.#refuses.has("conjunctions") || !Array.isArray(node.allOf)) return { node, refs };
    const { allOf, ...rest } = node;
    let joined: JsonObject = rest;
    const from = new Set(refs);
    for (const part of toArray(allOf)) {
      const name = isObject(part) ? nameIn(part) : undefined;
      const ends = name === undefined ? undefined : this.#whyNotInlined(name, refs);
      if (ends !== undefined) this.#lose(path, "approximated", ends);
      else if (name !== undefined) from.add(name);
      const { $ref: _, ...others } = toObject(part);
      const target = name === undefined || ends !== undefined ? true : (this.#definitions.get(name) ?? true);
      for (const one of [
        part === false ? { not: {} } : others,
        target === false ? { not: {} } : toObject(target),
      ])
        joined = this.#merge(joined, one, path);
    }
    return this.#resolve(joined, path, [...from]);
  }

  /** The reason why a definition cannot be inlined; `undefined` if it can. */
  #whyNotInlined(name: string, refs: readonly string[]): string | undefined {
    this.#budget.remaining -= 1;
    if (refs.includes(name)) return `the recursion through ${name} is cut here`;
    return this.#budget.remaining < 0 ? "the schema is too large to be written out" : undefined;
  }

  #typeOf(name: string): JsonObject {
    const { type } = toObject(this.#definitions.get(name));
    return typeof type === "string" ? { type } : {};
  }

  #merge(first: JsonObject, second: JsonObject, path: string): JsonObject {
    const merged = mergeSchemas(first, second, (key) =>
      this.#lose(`${path}/${key}`, "approximated", "only one of several values can be kept"),
    );
    return sanitize(merged, this.#lose, path);
  }

  /** Makes properties optional through which a schema contains itself. */
  #breakCycles(node: JsonObject, path: string): JsonObject {
    const properties = toObject(node.properties);
    const required = toArray(node.required);
    const kept = required.filter(
      (name) =>
        typeof name !== "string" ||
        !Object.hasOwn(properties, name) ||
        !requiredReferences(properties[name] as Json).some((target) => this.#cycles.has(target)),
    );
    if (kept.length === required.length) return node;
    this.#lose(
      `${path}/required`,
      "approximated",
      "a schema can only recur in properties that are not required",
    );
    const { required: _, ...rest } = node;
    return kept.length > 0 ? { ...rest, required: kept } : rest;
  }

  /** Adds the definitions that a written schema still refers to. */
  withDefinitions(body: JsonObject, path: string): JsonObject {
    const written: JsonObject = {};
    const waiting = namesIn(body);
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (Object.hasOwn(written, name)) continue;
      const schema = this.#definitions.get(name) ?? true;
      const below = `${path}/$defs${pointerStep(name)}`;
      const cyclic = this.#cycles.has(name);
      put(written, name, isObject(schema) ? this.write(schema, below, { cyclic }) : schema);
      waiting.push(...namesIn(written[name] as Json));
    }
    return Object.keys(written).length > 0 ? { ...body, $defs: written } : body;
  }
}

/** The definitions to which a schema refers through required properties alone. */
function requiredReferences(schema: Json): string[] {
  if (!isObject(schema)) return [];
  const name = nameIn(schema);
  const names = name === undefined ? [] : [name];
  const required = toArray(schema.required);
  mapSchemas(schema, (inner, below, key) => {
    if (key !== "properties" || required.some((one) => below.endsWith(pointerStep(String(one)))))
      names.push(...requiredReferences(inner));
    return inner;
  });
  return names;
}
