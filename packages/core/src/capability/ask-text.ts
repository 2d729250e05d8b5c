import { escapePointer } from "../ir/extra.ts";
import type { MediaPart, Part } from "../ir/part.ts";
import type { ParamName, ReasoningAsk, TextRequest } from "../ir/request.ts";
import { isObject, type Json } from "../json/json.ts";
import type { Ask, AskedParam, AskedPart } from "./ask.ts";
import { type Caller, namesOf } from "./caller.ts";
import { type Structured, spelled } from "./fields.ts";

/** Parameters about the end user and billing, not about what is generated: no model lists them as supported. */
const aside = new Set<ParamName>(["user", "cacheKey", "store", "labels", "serviceTier"]);

/** Reads the wants of a text request. */
export function askOf(request: TextRequest, caller?: Caller): Ask {
  const names = caller ? namesOf(caller) : new Map<string, string>();
  const pointer = (name: string): string => names.get(name) ?? `/${name}`;
  const scalars = (Object.keys(request.params) as ParamName[]).flatMap((name): AskedParam[] => {
    const value = request.params[name];
    if (value === undefined) return [];
    return [{ name, path: pointer(name), value, ...(aside.has(name) && { free: true }) }];
  });
  const wishes = structuredAsks(request).map((wish) => ({ ...wish, path: pointer(wish.name) }));
  const at = request.messages.length > 0 ? caller?.origins?.locate(request, "/messages/0") : undefined;
  return {
    operation: "text",
    model: request.model,
    params: [...scalars, ...wishes, ...extrasOf(request, names, new Set(wishes.map(({ name }) => name)))],
    parts: askedMedia(request, caller),
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
  asked: ReadonlySet<string>,
): AskedParam[] {
  if (!extra) return [];
  const records = new Set([...names.values()].map((path) => path.slice(0, path.lastIndexOf("/"))));
  const visit = (name: string, path: string, value: Json): AskedParam[] => {
    const inner = path.lastIndexOf("/") > 0 && records.has(path);
    const wish = inner ? undefined : spelled.find((candidate) => names.get(candidate) === path);
    const members = isObject(value)
      ? Object.entries(value).map(([key, member]) => ({ key, at: `${path}/${escapePointer(key)}`, member }))
      : [];
    const deeper = ({ key, at, member }: (typeof members)[number]): AskedParam[] =>
      visit(`${name}.${key}`, at, member);
    if (!wish)
      return isObject(value) && records.has(path)
        ? members.flatMap(deeper)
        : [{ name, path, value, extra: true }];
    // A record may belong to one setting and its members to another, so each is looked up by its own path.
    const others = spelled.filter((candidate) => !candidate.startsWith(`${wish}.`));
    const isOther = ({ at }: { at: string }): boolean => others.some((other) => names.get(other) === at);
    const own = members.filter((member) => !isOther(member));
    const left = isObject(value) ? Object.fromEntries(own.map(({ key, member }) => [key, member])) : value;
    const said = !asked.has(wish) && (own.length > 0 || own.length === members.length);
    return [
      ...members.filter(isOther).flatMap(deeper),
      ...(said ? [{ name: wish, path, value: left, ...(value === false && { free: true as const }) }] : []),
    ];
  };
  return Object.entries(extra.fields).flatMap(([name, value]) =>
    visit(name, `/${escapePointer(name)}`, value),
  );
}

type Wish = Omit<AskedParam, "path" | "name"> & { name: Structured };

/** The structured settings. One that only states the default need not be supported by the model. */
function structuredAsks({ tools = [], toolChoice, format, reasoning }: TextRequest): Wish[] {
  const wishes: Wish[] = [];
  const searches = tools.filter((tool) => tool.type === "opaque" && isSearch(tool.value));
  const named = tools.filter((tool) => !searches.includes(tool));
  if (named.length > 0)
    wishes.push({
      name: "tools",
      value: named.map((tool) => (tool.type === "function" ? tool.name : tool.value)),
    });
  if (searches.length > 0) wishes.push({ name: "webSearchOptions", value: true, also: ["tools"] });
  if (toolChoice?.mode !== undefined || toolChoice?.names)
    wishes.push({
      name: "toolChoice",
      value: toolChoice.names ?? toolChoice.mode,
      ...(!toolChoice.names && toolChoice.mode !== "required" && { free: true }),
    });
  if (toolChoice?.parallel !== undefined)
    wishes.push({
      name: "parallelToolCalls",
      value: toolChoice.parallel,
      ...(toolChoice.parallel && { free: true }),
    });
  if (format)
    wishes.push({
      name: "responseFormat",
      value: format.type,
      ...(format.type === "schema" && { also: ["structuredOutputs"] }),
      ...(format.type === "text" && { free: true }),
    });
  return reasoning ? [...wishes, ...reasoningAsks(reasoning)] : wishes;
}

/** The settings of thinking: three members, and on some wire each is spelled like another. */
function reasoningAsks({ mode, effort, budget, show }: ReasoningAsk): Wish[] {
  const wishes: Wish[] = [];
  const off = mode === "off" && { free: true as const };
  if (effort !== undefined)
    wishes.push({ name: "reasoningEffort", value: effort, also: ["thinking"], ...off });
  if (mode !== undefined || budget !== undefined)
    wishes.push({
      name: "thinking",
      value: { ...(mode && { type: mode }), ...(budget !== undefined && { budgetTokens: budget }) },
      also: ["reasoningEffort"],
      ...off,
    });
  if (show !== undefined)
    wishes.push({
      name: "includeReasoning",
      value: show !== "none",
      also: ["thinking", "reasoningEffort"],
      ...(show === "none" && { free: true }),
    });
  return wishes;
}

/** Checks whether a tool of the caller's wire is a web search with options. */
export const isSearch = (value: unknown): boolean => isObject(value) && isObject(value.web_search_options);

/** The media that a text request brings, with the caller's places of it. */
export function askedMedia(request: TextRequest, caller?: Caller): AskedPart[] {
  const found: AskedPart[] = [];
  const visit = (parts: readonly Part[], under: string): void => {
    for (const [i, part] of parts.entries()) {
      const path = `${under}/${i}`;
      if (part.type === "result") visit(part.parts, `${path}/parts`);
      if (part.type === "media") found.push(toPart(part, caller?.origins?.locate(request, path) ?? path));
    }
  };
  for (const [i, message] of request.messages.entries()) visit(message.parts, `/messages/${i}/parts`);
  return found;
}

function toPart({ kind, source }: MediaPart, path: string): AskedPart {
  const { mediaType } = source;
  return {
    kind,
    path,
    form: source.type,
    ...(mediaType !== undefined && { mediaType }),
    ...(source.type === "base64" && { bytes: bytesOf(source.data) }),
  };
}

/** Counts the bytes that base64 stands for. */
export const bytesOf = (data: string): number =>
  Math.floor((data.length * 3) / 4) - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);
