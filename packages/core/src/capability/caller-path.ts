import { snake } from "../codec/snake-case.ts";
import { escapePointer } from "../ir/extra.ts";
import type { TextRequest } from "../ir/index.ts";
import { type Json, lookup, toObject } from "../json/json.ts";
import type { Origins } from "../translate/origins.ts";
import { type Caller, namesOf } from "./caller.ts";

/** Structured settings by their place in the canonical request; the nearest of the caller's names counts. */
const asks: [path: string, names: readonly string[]][] = [
  ["/reasoning/effort", ["reasoningEffort", "thinking"]],
  ["/reasoning/budget", ["thinking.budgetTokens", "thinking"]],
  ["/reasoning/show", ["includeReasoning", "thinking"]],
  ["/reasoning", ["thinking", "reasoningEffort", "includeReasoning"]],
  ["/toolChoice/parallel", ["parallelToolCalls", "toolChoice"]],
  ["/toolChoice", ["toolChoice", "tools"]],
  ["/format", ["responseFormat"]],
  ["/tools", ["tools"]],
];

/** A caller together with its body. */
export interface PathCaller extends Caller {
  codec: Caller["codec"] & {
    /** The wire's own members for those of messages, parts and tools that the IR calls otherwise. */
    members?: Readonly<Record<string, readonly string[]>>;
  };
  wire: Readonly<Record<string, Json>>;
  origins: Origins;
}

/** The caller's own pointer for a path of the canonical request: the nearest place that its body has. */
export function callerPath(path: string, request: TextRequest, caller: PathCaller): string {
  const { codec, wire, origins } = caller;
  const ask = asks.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`));
  const names = path.startsWith("/params/") ? [path.slice("/params/".length)] : (ask?.[1] ?? []);
  // Single tools have a place of their own, which is nearer.
  const nearest = /^\/tools\/\d/.test(path) ? undefined : nearestName(names, caller);
  if (nearest !== undefined) return below(wire, nearest, ask ? path.slice(ask[0].length) : "") ?? nearest;
  const located = origins.locate(request, path);
  const found = find(wire, located);
  if (found !== undefined) return found;
  for (const [member, spellings] of Object.entries(codec.members ?? {})) {
    const at = located.indexOf(`/${member}`);
    if (at < 0 || !/^(\/|$)/.test(located.slice(at + member.length + 1))) continue;
    const node = located.slice(0, at);
    const spelled = first(spellings, (spelling) => find(wire, `${node}/${spelling}`));
    if (spelled !== undefined) return spelled;
  }
  return nearestPlace(wire, located);
}

function nearestName(names: readonly string[], caller: PathCaller): string | undefined {
  if (names.length === 0) return undefined;
  const spelled = namesOf(caller as Caller);
  const paths = names.flatMap((name) => spelled.get(name) ?? []);
  return first(paths, (path) => find(caller.wire, path)) ?? paths[0];
}

/** A member below the place of a setting, in it or in a record in it: `/response_format/json_schema/description`. */
function below(wire: PathCaller["wire"], place: string, member: string): string | undefined {
  if (member === "") return undefined;
  const inner = Object.keys(toObject(locate(wire, place)?.value)).map((name) => `/${escapePointer(name)}`);
  return first(["", ...inner], (record) => find(wire, place + record + member));
}

/** The longest part of the path that the body has; the whole path if it has none of it. */
function nearestPlace(wire: PathCaller["wire"], path: string): string {
  for (let place = path; place !== ""; place = place.slice(0, place.lastIndexOf("/"))) {
    const found = find(wire, place);
    if (found !== undefined) return found;
  }
  return path;
}

const find = (wire: PathCaller["wire"], pointer: string): string | undefined =>
  locate(wire, pointer)?.spelled;

/** A place that the body has, as it spells it: one wire takes its members in two casings. */
function locate(wire: PathCaller["wire"], pointer: string): { spelled: string; value: unknown } | undefined {
  let value: unknown = wire;
  let spelled = "";
  for (const token of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    const record = value as Record<string, unknown>;
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    const member = [key, snake(key)].find((name) => lookup(record, name) !== undefined);
    if (member === undefined) return undefined;
    value = record[member];
    spelled += member === key ? `/${token}` : `/${escapePointer(member)}`;
  }
  return value === undefined ? undefined : { spelled, value };
}

function first<Item>(items: readonly Item[], see: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const seen = see(item);
    if (seen !== undefined) return seen;
  }
  return undefined;
}
