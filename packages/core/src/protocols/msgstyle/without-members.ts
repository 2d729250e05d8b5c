import type { Traits } from "../../codec/traits.ts";
import type { Lose } from "../../ir/loss.ts";
import { compact, isObject, type Json, type JsonObject } from "../../json/json.ts";
import type { Edits } from "../../json/splice.ts";

/**
 * Edits of a body without the members that the trait `requestWithout` names. Only the first of each is reported: clients
 * write such members into every block or tool.
 */
export function withoutMembers(body: JsonObject, { requestWithout = [] }: Traits, lose: Lose): Edits {
  const reported = new Set<string>();
  const leaves = (name: (typeof requestWithout)[number], value: Json | undefined, path: string): boolean => {
    if (value === undefined || !requestWithout.includes(name)) return false;
    if (!reported.has(name)) lose(path, "unsupported");
    reported.add(name);
    return true;
  };
  const cleaned = (node: Json | undefined, path: string): Json | undefined => {
    if (Array.isArray(node)) {
      const all = node.map((item, i) => cleaned(item, `${path}/${i}`) as Json);
      // The same list where nothing in it changes: a large body is then not written a second time.
      return all.some((item, i) => item !== node[i]) ? all : node;
    }
    if (!isObject(node)) return node;
    const { cache_control: mark, eager_input_streaming: eager, content } = node;
    const edits: Edits = {};
    if (isObject(mark) && leaves("cacheScope", mark.scope, `${path}/cache_control/scope`))
      edits.cache_control = compact<Edits>({ ...mark, scope: undefined }) as JsonObject;
    if (leaves("eagerInput", eager, `${path}/eager_input_streaming`)) edits.eager_input_streaming = undefined;
    const inner = cleaned(content, `${path}/content`);
    if (inner !== content) edits.content = inner;
    return Object.keys(edits).length > 0 ? (compact<Edits>({ ...node, ...edits }) as JsonObject) : node;
  };

  const edits: Edits = {};
  if (leaves("requestCache", body.cache_control, "/cache_control")) edits.cache_control = undefined;
  for (const name of ["system", "tools", "messages"]) {
    const value = cleaned(body[name], `/${name}`);
    if (value !== body[name]) edits[name] = value;
  }
  return edits;
}
