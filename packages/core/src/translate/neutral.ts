import type { CodecBase } from "../codec/codec-base.ts";
import { readParams } from "../codec/params.ts";
import type { TextRequest } from "../ir/index.ts";
import type { Loss } from "../ir/loss.ts";
import { factOf, paramNames } from "../ir/params.ts";
import { isObject, type Json, lookup, sameJson } from "../json/json.ts";
import { wires } from "../protocols/facts.ts";

type Neutral = Readonly<Record<string, readonly Json[]>>;

/**
 * Values of a canonical request that ask for what every target does without them, by their places: those of scalars are
 * facts of the parameters, and those of members that only one wire has are facts of the wire.
 */
const neutral: Neutral = {
  ...Object.fromEntries(paramNames.map((name) => [`params/${name}`, factOf(name).neutral ?? []])),
  "format/strict": [false],
  "format/type": ["text"],
  "parts/detail": ["auto"],
  "toolChoice/mode": ["auto"],
  "toolChoice/parallel": [true],
  "tools/strict": [false],
};

/** The lists whose items are places of their own, wherever they stand. */
const lists = new Set(["messages", "parts", "tools"]);

/**
 * Checks whether a loss is none: a value was left out that asks for what the target does without it, such as one
 * alternative or no penalty. Many clients send such values with every request.
 */
export function asksNothing(request: TextRequest, { path, why }: Loss): boolean {
  if (why !== "unsupported") return false;
  let node = request as unknown as Json | undefined;
  let table = neutral;
  let place = "";
  for (const token of path.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(node)) node = node[Number(name)];
    else if (!isObject(node)) return false;
    else if (name === "extra" && table === neutral && isObject(node.extra)) {
      const { protocol, fields } = node.extra;
      table = lookup(wires.facts, String(protocol))?.neutral ?? {};
      node = fields;
    } else {
      node = lookup(node, name);
      place = place === "" || (table === neutral && lists.has(name)) ? name : `${place}/${name}`;
    }
  }
  return node !== undefined && isNeutral(node, place, table);
}

/** Checks a value, or each member of one that is not in the table itself. */
function isNeutral(value: Json, place: string, table: Neutral): boolean {
  const values = lookup(table, place);
  if (values) return values.some((each) => sameJson(each, value));
  if (!isObject(value)) return false;
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return (
    members.length > 0 && members.every(([name, member]) => isNeutral(member, `${place}/${name}`, table))
  );
}

/** The same for a member of a request on its wire, by its name there. */
export function memberAsksNothing(
  { params, facts }: Pick<CodecBase, "params" | "facts">,
  name: string,
  value: Json,
): boolean {
  const isEmpty = typeof value === "object" && Object.values(value ?? {}).every((member) => member === null);
  if (isEmpty) return true;
  const read = Object.entries(readParams(params, { [name]: value }));
  return read.length > 0
    ? read.every(([param, asked]) => isNeutral(asked as Json, `params/${param}`, neutral))
    : isNeutral(value, name, facts.neutral ?? {});
}

/** The request without a choice of tools that forces none, if it has no tools: nothing is chosen by it. */
export function withoutIdleChoice({ toolChoice, ...request }: TextRequest): TextRequest {
  const isIdle =
    !request.tools?.length && toolChoice?.mode !== "required" && (toolChoice?.names ?? []).length === 0;
  return isIdle || !toolChoice ? request : { ...request, toolChoice };
}
