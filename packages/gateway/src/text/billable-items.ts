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

/** The kinds of the members that matter for billing; most requests have none. */
const compiled = new WeakMap<BillingFacts, ReadonlyMap<string, Kind>>();

function kindsOf(facts: BillingFacts): ReadonlyMap<string, Kind> {
  const before = compiled.get(facts);
  if (before) return before;
  const kinds = new Map([
    ...choosingMembers.map((name): [string, Kind] => [name, "choosing"]),
    ...Object.keys(facts.modes).map((name): [string, Kind] => [name, "mode"]),
    ...Object.keys(facts.toolMembers ?? {}).map((name): [string, Kind] => [name, "tool"]),
    ...(facts.detached ?? []).map((name): [string, Kind] => [name, "detached"]),
    ["tools", "tools"] as const,
  ]);
  compiled.set(facts, kinds);
  return kinds;
}

/**
 * Finds the requested items that are billed in addition to tokens. `betas` are the flags of the request's beta header.
 */
export function inspect(facts: BillingFacts, wire: JsonObject, betas: readonly string[] = []): Metered {
  let items: Items | undefined;
  const kinds = kindsOf(facts);
  for (const name in wire) {
    const kind = kinds.get(name);
    const value = wire[name] ?? null;
    if (kind === undefined || value === null || value === false) continue;
    items ??= new Items();
    items.add(name, kind, value, wire, facts);
  }
  for (const flag of betas) {
    const [, mode, value] = facts.betas?.find(([start]) => flag.startsWith(start)) ?? [];
    if (mode === undefined || value === undefined) continue;
    items ??= new Items();
    items.modes.push({ path: flag, mode, value, possible: true });
  }
  for (const place of facts.ids)
    for (const id of idsAt(wire, place)) {
      items ??= new Items();
      items.ids.push({ path: place.path.join("."), id });
    }
  return items?.isEmpty === false ? items : nothingMetered;
}

class Items implements Metered {
  readonly modes: Mode[] = [];
  readonly tools: Hosted[] = [];
  readonly detached: string[] = [];
  readonly choosing: string[] = [];
  readonly ids: { path: string; id: string }[] = [];

  /** The members ask for nothing that is billed: for functions, which are tools of the caller. */
  get isEmpty(): boolean {
    const { modes, tools, detached, choosing, ids } = this;
    return [modes, tools, detached, choosing, ids].every((list) => list.length === 0);
  }

  /** Adds what a member asks for. */
  add(name: string, kind: Kind, value: Json, wire: JsonObject, facts: BillingFacts): void {
    if (kind === "mode") {
      const word = (typeof value === "string" ? value : JSON.stringify(value)).toLowerCase();
      if (!facts.modes[name]?.includes(word)) this.modes.push({ path: name, mode: snake(name), value: word });
    } else if (kind === "tools") this.tools.push(...hostedIn(facts, wire, value));
    else if (kind === "tool")
      this.tools.push({ path: name, kind: name, billing: [facts.toolMembers![name]!], most: 1 });
    else if (kind === "detached") this.detached.push(name);
    else this.choosing.push(name);
  }
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

const noCalls: CallCounts = {};

/** The most calls of hosted tools that a request allows; `usual` if it sets no limit. */
export function mostCalls({ tools }: Metered, usual: number): Readonly<CallCounts> {
  if (tools.length === 0) return noCalls;
  const counts: CallCounts = {};
  for (const { billing, most = usual } of tools)
    for (const unit of billing === "unpriced" ? [] : billing)
      counts[unit] = (counts[unit] ?? 0) + Math.ceil(most);
  return counts;
}
