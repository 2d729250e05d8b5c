import {
  type BillingFacts,
  type CallCounts,
  choosingMembers,
  idsAt,
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  snake,
  type ToolBilling,
  toArray,
} from "@manifold-gateway/core/codec";

/** A requested mode that is not the usual one. */
interface Mode {
  /** The member, or the header, that requests it. */
  path: string;
  mode: string;
  value: string;
  /** A header only makes it possible: it must have a price, but its factor applies only if it was used. */
  possible?: true;
}

/** A tool that the vendor runs. */
interface Hosted {
  path: string;
  kind: string;
  billing: Exclude<ToolBilling, "free">;
  /** The most calls that the request allows. */
  most?: number;
}

/** The requested items that a provider bills in addition to tokens, or stores. */
export interface Metered {
  modes: readonly Mode[];
  tools: readonly Hosted[];
  /** Members that detach the generation, so that the answer does not contain what was generated. */
  detached: readonly string[];
  /** Members that have a router choose another model. */
  choosing: readonly string[];
  /** Ids of objects that the provider stores. */
  ids: readonly { path: string; id: string }[];
}

export const nothingMetered: Metered = { modes: [], tools: [], detached: [], choosing: [], ids: [] };

type Kind = "mode" | "tools" | "tool" | "detached" | "choosing";

/** The billing facts of a protocol, compiled for inspecting requests. */
interface Table {
  /** The kinds of the members that matter for billing; most requests have none. */
  kinds: ReadonlyMap<string, Kind>;
  /** Matches if there may be ids at all. */
  marks: RegExp;
}
const compiled = new WeakMap<BillingFacts, Table>();

function tableOf(facts: BillingFacts): Table {
  const before = compiled.get(facts);
  if (before) return before;
  const entries: [string, Kind][] = [
    ...choosingMembers.map((name): [string, Kind] => [name, "choosing"]),
    ...Object.keys(facts.modes).map((name): [string, Kind] => [name, "mode"]),
    ...Object.keys(facts.toolMembers ?? {}).map((name): [string, Kind] => [name, "tool"]),
    ...(facts.detached ?? []).map((name): [string, Kind] => [name, "detached"]),
    ["tools", "tools"],
  ];
  // A place without a mark is at the top level: its name is the mark.
  const marks = [...new Set(facts.ids.map(({ mark, path }) => mark ?? `"${path[0]}"`))];
  const table = { kinds: new Map(entries), marks: new RegExp(marks.length > 0 ? marks.join("|") : "$^") };
  compiled.set(facts, table);
  return table;
}

/**
 * Finds the requested items that are billed in addition to tokens. `text` is the request's JSON, `betas` are the flags
 * of its beta header.
 */
export function inspect(
  facts: BillingFacts,
  wire: JsonObject,
  text: string,
  betas: readonly string[] = [],
): Metered {
  const { kinds, marks } = tableOf(facts);
  const modes: Mode[] = [];
  const tools: Hosted[] = [];
  const detached: string[] = [];
  const choosing: string[] = [];
  for (const name of Object.keys(wire)) {
    const kind = kinds.get(name);
    const value = wire[name] ?? null;
    if (kind === undefined || value === null || value === false) continue;
    if (kind === "mode") {
      const word = typeof value === "string" ? value : JSON.stringify(value);
      if (!facts.modes[name]?.includes(word.toLowerCase()))
        modes.push({ path: name, mode: snake(name), value: word.toLowerCase() });
    } else if (kind === "tools") tools.push(...hostedIn(facts, wire, value));
    else if (kind === "tool")
      tools.push({ path: name, kind: name, billing: [facts.toolMembers![name]!], most: 1 });
    else if (kind === "detached") detached.push(name);
    else choosing.push(name);
  }
  for (const flag of betas) {
    const [, mode, value] = facts.betas?.find(([start]) => flag.startsWith(start)) ?? [];
    if (mode !== undefined && value !== undefined) modes.push({ path: flag, mode, value, possible: true });
  }
  const ids = marks.test(text)
    ? facts.ids.flatMap((place) => idsAt(wire, place).map((id) => ({ path: place.path.join("."), id })))
    : [];
  const isNothing = [modes, tools, detached, choosing, ids].every((list) => list.length === 0);
  return isNothing ? nothingMetered : { modes, tools, detached, choosing, ids };
}

function hostedIn(facts: BillingFacts, wire: JsonObject, list: Json): Hosted[] {
  const { callLimits = {} } = facts;
  const top = callLimits.top === undefined ? undefined : numberOf(wire[callLimits.top]);
  const hosted: Hosted[] = [];
  for (const [i, tool] of toArray(list).entries()) {
    if (!isObject(tool)) continue;
    const kinds = facts.kindsOf?.(tool) ?? [typeof tool.type === "string" ? tool.type : ""];
    for (const kind of kinds) {
      const billing = facts.tools.find(([pattern]) => pattern.test(kind))?.[1] ?? "unpriced";
      if (billing === "free") continue;
      const toolLimit = callLimits.tool === undefined ? undefined : numberOf(tool[callLimits.tool]);
      const most = toolLimit ?? top;
      hosted.push({ path: `tools.${i}`, kind, billing, ...(most !== undefined && most > 0 && { most }) });
    }
  }
  return hosted;
}

/** The most calls of hosted tools that a request allows; `usual` if it sets no limit. */
export function mostCalls({ tools }: Metered, usual: number): CallCounts {
  const counts: CallCounts = {};
  for (const { billing, most = usual } of tools)
    for (const unit of billing === "unpriced" ? [] : billing)
      counts[unit] = (counts[unit] ?? 0) + Math.ceil(most);
  return counts;
}
