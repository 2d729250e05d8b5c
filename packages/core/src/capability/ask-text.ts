import { escapePointer } from "../ir/extra.ts";
import { factOf, type ParamName } from "../ir/params.ts";
import type { ReasoningAsk, TextRequest } from "../ir/request.ts";
import { isObject, type Json, sameJson } from "../json/json.ts";
import type { Ask, RequestedParam } from "./ask.ts";
import { type Caller, namesOf } from "./caller.ts";
import { type Structured, spelled } from "./fields.ts";
import { requestedMedia } from "./requested-media.ts";

/** Reads the wants of a text request. */
export function askOf(request: TextRequest, caller?: Caller): Ask {
  const names = caller ? namesOf(caller) : new Map<string, string>();
  const pointer = (name: string): string => names.get(name) ?? `/${name}`;
  const scalars = (Object.keys(request.params) as ParamName[]).flatMap((name): RequestedParam[] => {
    const value = request.params[name];
    if (value === undefined) return [];
    const { listed, neutral = [] } = factOf(name);
    return [
      {
        name,
        path: pointer(name),
        value,
        ...(listed === false && { free: true }),
        ...(neutral.some((each) => sameJson(each, value as Json)) && { neutral: true }),
      },
    ];
  });
  const asks = structuredAsks(request).map((ask) => ({ ...ask, path: pointer(ask.name) }));
  const at = request.messages.length > 0 ? caller?.origins?.locate(request, "/messages/0") : undefined;
  return {
    operation: "text",
    model: request.model,
    params: [...scalars, ...asks, ...extrasOf(request, names, new Set(asks.map(({ name }) => name)))],
    parts: requestedMedia(request, caller),
    content: at?.replace(/\/\d+$/, "") || "/messages",
    ...(caller && { names }),
  };
}

/**
 * Fields that the IR does not model: settings that only one wire has, and unknown fields, also those inside the
 * objects that hold parameters.
 */
function extrasOf(
  { extra }: TextRequest,
  names: ReadonlyMap<string, string>,
  requested: ReadonlySet<string>,
): RequestedParam[] {
  if (!extra) return [];
  const records = new Set([...names.values()].map((path) => path.slice(0, path.lastIndexOf("/"))));
  const visit = (name: string, path: string, value: Json): RequestedParam[] => {
    const inner = path.lastIndexOf("/") > 0 && records.has(path);
    const param = inner ? undefined : spelled.find((candidate) => names.get(candidate) === path);
    const members = isObject(value)
      ? Object.entries(value).map(([key, member]) => ({ key, at: `${path}/${escapePointer(key)}`, member }))
      : [];
    const deeper = ({ key, at, member }: (typeof members)[number]): RequestedParam[] =>
      visit(`${name}.${key}`, at, member);
    if (!param)
      return isObject(value) && records.has(path)
        ? members.flatMap(deeper)
        : [{ name, path, value, extra: true }];
    // A record may belong to one setting and its members to another, so each is looked up by its own path.
    const others = spelled.filter((candidate) => !candidate.startsWith(`${param}.`));
    const isOther = ({ at }: { at: string }): boolean => others.some((other) => names.get(other) === at);
    const unclaimed = members.filter((member) => !isOther(member));
    const left = isObject(value)
      ? Object.fromEntries(unclaimed.map(({ key, member }) => [key, member]))
      : value;
    const isReported = !requested.has(param) && (unclaimed.length > 0 || unclaimed.length === members.length);
    return [
      ...members.filter(isOther).flatMap(deeper),
      ...(isReported
        ? [{ name: param, path, value: left, ...(value === false && { free: true as const }) }]
        : []),
    ];
  };
  return Object.entries(extra.fields).flatMap(([name, value]) =>
    visit(name, `/${escapePointer(name)}`, value),
  );
}

type StructuredAsk = Omit<RequestedParam, "path" | "name"> & { name: Structured };

/** The structured settings. One that only states the default need not be supported by the model. */
function structuredAsks({ tools = [], toolChoice, format, reasoning }: TextRequest): StructuredAsk[] {
  const asks: StructuredAsk[] = [];
  const searches = tools.filter((tool) => tool.type === "opaque" && isSearch(tool.value));
  const named = tools.filter((tool) => !searches.includes(tool));
  if (named.length > 0)
    asks.push({
      name: "tools",
      value: named.map((tool) => (tool.type === "function" ? tool.name : tool.value)),
    });
  if (searches.length > 0) asks.push({ name: "webSearchOptions", value: true, also: ["tools"] });
  if (toolChoice?.mode !== undefined || toolChoice?.names)
    asks.push({
      name: "toolChoice",
      value: toolChoice.names ?? toolChoice.mode,
      ...(!toolChoice.names && toolChoice.mode !== "required" && { free: true }),
    });
  if (toolChoice?.parallel !== undefined)
    asks.push({
      name: "parallelToolCalls",
      value: toolChoice.parallel,
      ...(toolChoice.parallel && { free: true }),
    });
  if (format)
    asks.push({
      name: "responseFormat",
      value: format.type,
      ...(format.type === "schema" && { also: ["structuredOutputs"] }),
      ...(format.type === "text" && { free: true }),
    });
  return reasoning ? [...asks, ...reasoningAsks(reasoning)] : asks;
}

/** The settings of thinking: three members, and on some wire each is spelled like another. */
function reasoningAsks({ mode, effort, budget, show }: ReasoningAsk): StructuredAsk[] {
  const asks: StructuredAsk[] = [];
  const off = mode === "off" && { free: true as const };
  if (effort !== undefined) asks.push({ name: "reasoningEffort", value: effort, also: ["thinking"], ...off });
  if (mode !== undefined || budget !== undefined)
    asks.push({
      name: "thinking",
      value: { ...(mode && { type: mode }), ...(budget !== undefined && { budgetTokens: budget }) },
      also: ["reasoningEffort"],
      ...off,
    });
  if (show !== undefined)
    asks.push({
      name: "includeReasoning",
      value: show !== "none",
      also: ["thinking", "reasoningEffort"],
      ...(show === "none" && { free: true }),
    });
  return asks;
}

/** Checks whether a tool of the caller's wire is a web search with options. */
export const isSearch = (value: unknown): boolean => isObject(value) && isObject(value.web_search_options);
