import type { Lose } from "../ir/loss.ts";
import { isObject, type Json, type JsonObject, toArray } from "../json/json.ts";
import { mergeSchemas } from "./merge.ts";
import { find } from "./references.ts";

/** The context of writing one schema. */
export interface Context {
  root: Json;
  lose: Lose;
  /** Steps that may still be taken: references that fan out would grow without end. */
  steps: { remaining: number };
}

/** The depth to which schemas are followed. */
export const MAX_DEPTH = 48;

/** A node without references and conjunctions, and the references that led to it. */
export interface Flattened {
  node: JsonObject;
  refs: readonly string[];
}

/** Merges the target of `$ref` and the schemas of `allOf` into the node. Recursion is cut. */
export function flatten(
  schema: JsonObject,
  path: string,
  refs: readonly string[],
  context: Context,
  depth = 0,
): Flattened {
  const { $ref, allOf, ...node } = schema;
  context.steps.remaining -= 1;
  if (context.steps.remaining < 0 || depth > MAX_DEPTH) return { node, refs };
  let flat: Flattened = { node, refs };
  const add = (part: Json, from: readonly string[]): void => {
    if (!isObject(part)) return;
    const inner = flatten(part, path, from, context, depth + 1);
    flat = { node: mergeSchemas(flat.node, inner.node), refs: [...new Set([...flat.refs, ...inner.refs])] };
  };
  if (typeof $ref === "string") {
    const target = refs.includes($ref) ? undefined : find(context.root, $ref);
    if (refs.includes($ref)) {
      context.lose(path, "approximated", `the recursion through ${$ref} is cut here`);
      flat = { node: mergeSchemas(node, { type: "object" }), refs };
    } else if (target === undefined) context.lose(path, "unsupported", `${$ref} leads nowhere`);
    else add(target, [...refs, $ref]);
  }
  for (const part of toArray(allOf)) add(part, refs);
  return flat;
}
