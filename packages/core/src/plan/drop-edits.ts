import type { Issue } from "../capability/ask.ts";
import { isObject, type Json } from "../json/json.ts";
import type { Edits } from "../json/splice.ts";

/** Edits that remove fields from a body that is otherwise forwarded unchanged. */
export function dropEdits(
  value: Readonly<Record<string, Json>>,
  dropped: readonly Pick<Issue, "path">[],
): Edits {
  const edits: Edits = {};
  for (const { path } of dropped) {
    const [name = "", ...below] = path.slice(1).split("/");
    if (below.length === 0) edits[name] = undefined;
    else {
      const whole = Object.hasOwn(edits, name) ? edits[name] : value[name];
      if (isObject(whole)) edits[name] = without(whole, below);
    }
  }
  return edits;
}

/** Removes a member at a path, and the objects that become empty. */
function without(node: Json, [key = "", ...below]: readonly string[]): Json | undefined {
  if (!isObject(node)) return node;
  const { [key]: inner, ...rest } = node;
  const left = below.length === 0 || inner === undefined ? undefined : without(inner, below);
  if (left !== undefined) return { ...rest, [key]: left };
  return Object.keys(rest).length > 0 ? rest : undefined;
}
