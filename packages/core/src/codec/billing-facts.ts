import { isObject, type Json, type JsonObject } from "../json/json.ts";

/** Calls of hosted tools that vendors bill by the call. */
export const callUnits = [
  "webSearches",
  "groundedRequests",
  "fileSearches",
  "codeSessions",
  "mapSearches",
] as const;
/** One of `callUnits`. */
export type CallUnit = (typeof callUnits)[number];

/** Numbers of calls of each kind. */
export type CallCounts = { [unit in CallUnit]?: number };

/** Facts in a reply about its bill, beside tokens. */
export interface Billed {
  /** The model that answered, as the provider reports it. */
  model?: string;
  /** The modes it was answered in, by the member that asks for them: `{ service_tier: "priority" }`. */
  modes?: Readonly<Record<string, string>>;
  /** Calls of hosted tools, over the whole reply so far. */
  calls?: CallCounts;
  /** Ids under which the vendor stores parts of the reply and by which later requests can refer to them. */
  ids?: readonly string[];
}

/** A kind of tool: one of the units that its calls are billed by, `free` beyond its tokens, or `unpriced`. */
export type ToolBilling = readonly CallUnit[] | "free" | "unpriced";

/** A place of ids in a request: `*` is every item of a list. */
export interface IdPlace {
  path: readonly string[];
  /** Only below records of this type. */
  type?: string;
  /** The pattern of those values that are ids. Default: all texts. */
  pattern?: RegExp;
}

/** Meanings of the members of a wire's requests and replies for the vendor's bill. */
export interface BillingFacts {
  /** All members of a request that its vendor documents, in every spelling that the wire takes. */
  members: readonly string[];
  /** Members that are records of parameters, each with its own documented members. */
  records?: Readonly<Record<string, readonly string[]>>;
  /** Places of the output limit that servers of the wire are known to read; the largest counts. */
  limits: readonly (readonly string[])[];
  /** Places of the number of alternatives. */
  alternatives: readonly (readonly string[])[];
  /** Members that choose a mode, with the values that cost the usual price. Others cost a factor of it. */
  modes: Readonly<Record<string, readonly string[]>>;
  /** Flags of the beta header that make a mode possible: the start of a flag, its mode and value. */
  betas?: readonly (readonly [flag: string, mode: string, value: string])[];
  /** Members whose answer does not say what was generated, so that nothing could be charged. */
  detached?: readonly string[];
  /** The kinds of tools that an item of `tools` asks for. Default: its `type`. */
  kindsOf?(tool: JsonObject): readonly string[];
  /** Kinds of tools, the first pattern that fits; what fits none is unpriced. */
  tools: readonly (readonly [kind: RegExp, billing: ToolBilling])[];
  /** Members beside `tools` that switch a hosted tool on. */
  toolMembers?: Readonly<Record<string, CallUnit>>;
  /** Where a request limits the calls of hosted tools: on the tool, or at the top. */
  callLimits?: { tool?: string; top?: string };
  /** The places of ids in a request that name what the vendor keeps. */
  ids: readonly IdPlace[];
  /** Reads the facts about the bill in a chunk of a reply; called for each chunk with usage or an end. */
  billed(chunk: JsonObject): Billed | undefined;
}

/** Members by which a routing provider chooses another model, or does more than generate. */
export const choosingMembers: readonly string[] = [
  ...["route", "fallbacks", "fallback_models", "preset", "plugins", "extra_body"],
];

/** Adds the facts of another chunk: the latest model and modes, the highest call counts, all ids. */
export function mergeBilled(previous: Billed, more: Billed): Billed {
  const calls: CallCounts = { ...previous.calls };
  for (const unit of callUnits) {
    const count = more.calls?.[unit];
    if (count !== undefined && count > (calls[unit] ?? -1)) calls[unit] = count;
  }
  const ids = more.ids ? [...new Set([...(previous.ids ?? []), ...more.ids])] : previous.ids;
  return {
    ...previous,
    ...(more.model !== undefined && { model: more.model }),
    ...(more.modes && { modes: { ...previous.modes, ...more.modes } }),
    ...(Object.keys(calls).length > 0 && { calls }),
    ...(ids && { ids }),
  };
}

/** The texts at a place of a request, added to `ids`. Of the path of the place, `step` names lead to `node`. */
export function idsAt(node: Json, place: IdPlace, ids: string[] = [], step = 0): readonly string[] {
  const { path, type, pattern } = place;
  if (step === path.length) {
    const id = type === undefined ? node : isObject(node) && node.type === type ? node.id : undefined;
    if (typeof id === "string" && id !== "" && (!pattern || pattern.test(id))) ids.push(id);
  } else if (path[step] !== "*") {
    const value = isObject(node) ? node[path[step] as string] : undefined;
    if (value !== undefined) idsAt(value, place, ids, step + 1);
  } else if (Array.isArray(node)) for (const item of node) idsAt(item, place, ids, step + 1);
  return ids;
}
