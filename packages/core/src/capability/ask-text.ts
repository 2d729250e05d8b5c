import { escapePointer } from "../extra.ts";
import type { MediaPart, Part, Protocol } from "../ir/part.ts";
import type { ParamName, ReasoningAsk, TextRequest } from "../ir/request.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { Origins } from "../locate.ts";
import type { ParamTable } from "../params.ts";
import type { Ask, AskedParam, AskedPart } from "./ask.ts";
import { type Structured, spellings, structured } from "./fields.ts";

/** What is known of the caller beside the canonical request, so that findings speak in its own names. */
export interface Caller {
  /** The caller's codec. */
  codec: { protocol: Protocol; params: ParamTable };
  /** The body as it was sent: tells which of several spellings was used. */
  wire?: JsonObject;
  /** Where nodes stood on the wire, as `decode` traced them. */
  origins?: Origins;
}

/** Parameters that say who asks and how it is billed, not what is generated: no list of a model names them. */
const aside = new Set<ParamName>(["user", "cacheKey", "store", "labels", "serviceTier"]);

/** What a text request wants of its model. */
export function askOf(request: TextRequest, caller?: Caller): Ask {
  const names = caller ? namesOf(caller) : new Map<string, string>();
  const pointer = (name: string): string => names.get(name) ?? `/${name}`;
  const scalars = (Object.keys(request.params) as ParamName[]).flatMap((name): AskedParam[] => {
    const value = request.params[name];
    if (value === undefined) return [];
    return [{ name, path: pointer(name), value, ...(aside.has(name) && { free: true }) }];
  });
  const extras = Object.entries(request.extra?.fields ?? {}).map(
    ([name, value]): AskedParam => ({ name, path: `/${escapePointer(name)}`, value, extra: true }),
  );
  const wishes = structuredAsks(request).map((wish) => ({ ...wish, path: pointer(wish.name) }));
  const at = request.messages.length > 0 ? caller?.origins?.locate(request, "/messages/0") : undefined;
  return {
    operation: "text",
    model: request.model,
    params: [...scalars, ...wishes, ...extras],
    parts: mediaOf(request, caller),
    content: at?.replace(/\/\d+$/, "") || "/messages",
    names,
  };
}

type Wish = Omit<AskedParam, "path" | "name"> & { name: Structured };

/** The asks that are no scalars. To ask for what is so anyway is to ask for nothing that a list has to name. */
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

/** One wish in three members, each of which is another's spelling on some wire. */
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

const isSearch = (value: unknown): boolean => isObject(value) && isObject(value.web_search_options);

function mediaOf(request: TextRequest, caller: Caller | undefined): AskedPart[] {
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

/** How many bytes base64 stands for. */
export const bytesOf = (data: string): number =>
  Math.floor((data.length * 3) / 4) - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);

/** The caller's pointers for parameters: of several spellings the one that the body has. */
function namesOf({ codec, wire }: Caller): Map<string, string> {
  const names = new Map<string, string>();
  const add = (name: string, paths: readonly string[]): void => {
    const used = paths.flatMap((path) => [path, snake(path)]).find((path) => has(wire, path)) ?? paths[0];
    if (used !== undefined) names.set(name, `/${used.replaceAll(".", "/")}`);
  };
  for (const { name, wire: path, also = [] } of codec.params) add(name, [path, ...also]);
  for (const name of structured) add(name, spellings[codec.protocol][name] ?? []);
  return names;
}

/** The other spelling of wires that take both. */
const snake = (path: string): string => path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function has(wire: JsonObject | undefined, path: string): boolean {
  let value: unknown = wire;
  for (const key of path.split("."))
    value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value !== undefined && value !== null;
}
