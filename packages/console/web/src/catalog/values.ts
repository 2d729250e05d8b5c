import type { FieldFault } from "../api/refusal.ts";
import type { Value } from "./calls.ts";

type Json = Value[string];

/** The part of a value at a path, such as `entries.0.price`. */
export function partAt(value: unknown, path: string): unknown {
  if (path === "") return value;
  return path
    .split(".")
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], value);
}

/** The texts at a path: one, or a list of them. Anything else is shown as JSON. */
export const textsAt = (value: unknown, path: string): string[] =>
  [partAt(value, path) ?? []].flat().map((text) => (typeof text === "string" ? text : JSON.stringify(text)));

/** A copy of a value with another part at a path; `undefined` removes it. */
export function withPart<T>(value: T, path: string, part: unknown): T {
  const [name = "", ...rest] = path.split(".");
  const next = rest.length === 0 ? part : withPart(partAt(value, name) ?? {}, rest.join("."), part);
  if (Array.isArray(value)) {
    const at = Number(name);
    const others = value.map((item, n) => (n === at ? next : item));
    return (next === undefined ? value.filter((_, n) => n !== at) : others) as T;
  }
  const { [name]: _, ...others } = value as Record<string, unknown>;
  return (next === undefined ? others : { ...(value as object), [name]: next }) as T;
}

/** The members of a value at all depths by their paths. Lists of texts are not split up. */
export function partsOf(value: unknown, path = ""): [path: string, part: Json][] {
  const isSplit =
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).length > 0 &&
    !(Array.isArray(value) && value.every((item) => typeof item !== "object"));
  if (!isSplit) return value === undefined ? [] : [[path, value as Json]];
  return Object.entries(value).flatMap(([name, part]) =>
    partsOf(part, path === "" ? name : `${path}.${name}`),
  );
}

/** A part that differs between two values. */
export interface Difference {
  path: string;
  before: unknown;
  after: unknown;
}

/** The routes of a model by their names, so that a difference is of a route and not of a place in a list. */
function byRoute(value: object): object {
  const { entries, ...rest } = value as { entries?: { provider: string; name: string }[] };
  if (!Array.isArray(entries)) return value;
  const routes = entries.map(({ provider, name, ...terms }) => [
    `route ${provider} ${name}`,
    Object.keys(terms).length > 0 ? terms : "there",
  ]);
  return { ...rest, ...Object.fromEntries(routes) };
}

/** The parts that differ, those that are gone first. */
export function differingParts(before: object = {}, after: object = {}): Difference[] {
  const [was, is] = [new Map(partsOf(byRoute(before))), new Map(partsOf(byRoute(after)))];
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((path) => path !== "" && JSON.stringify(was.get(path)) !== JSON.stringify(is.get(path)))
    .map((path) => ({ path, before: was.get(path), after: is.get(path) }));
}

/** A finding of the service: the names that lead to a field, and what is wrong with it. */
const FINDING = /^([^:]+): (.+)$/s;

/** Findings of the service, such as `models.fast.entries.0.name: …`, by the fields of a form of the member `models.fast`. */
export const findingsOf = (problems: readonly string[], member: string): FieldFault[] =>
  problems.map((problem) => {
    if (problem.startsWith(`${member}: `)) return { path: [], text: problem.slice(member.length + 2) };
    if (!problem.startsWith(`${member}.`)) return { path: [], text: problem };
    const rest = problem.slice(member.length + 1);
    const [, path, text = rest] = FINDING.exec(rest) ?? [];
    return { path: path?.split(".") ?? [], text };
  });
