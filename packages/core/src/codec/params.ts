import type { Lose } from "../ir/loss.ts";
import { factOf, type ParamKind, type ParamName, type Params } from "../ir/params.ts";
import { booleanOf, isObject, type Json, type JsonObject, lookup, numberOf, textOf } from "../json/json.ts";
import type { Schema } from "../schema/node.ts";
import { acceptedValue, isRefused } from "./refused-params.ts";
import { bothCasings } from "./snake-case.ts";
import type { Traits } from "./traits.ts";

/** One scalar of a protocol, in both directions. */
export interface ParamRow {
  /** The parameter's name in the IR. */
  name: ParamName;
  /** Where it stands on the wire: `max_tokens`, `generationConfig.topP`. */
  wire: string;
  /** Spellings that are read but never written, after `wire`. */
  also?: readonly string[];
  /** The schema of the wire value. Default: by the kind of the parameter. */
  schema?: Schema;
  /** The IR value of a wire value; `undefined` where it has none. Default: by the kind of the parameter. */
  read?: (value: Json) => Params[ParamName];
  /** The wire value of an IR value; `undefined` leaves it out. Reports what it changes under `path`. */
  write?: (value: never, lose: Lose, path: string) => Json | undefined;
  /** The parameter without which the target refuses this one. */
  needs?: ParamName;
}
/** All scalar parameters of a wire. */
export type ParamTable = readonly ParamRow[];

const labels = (value: Json): Record<string, string> | undefined =>
  isObject(value) && Object.values(value).every((v) => typeof v === "string")
    ? (value as Record<string, string>)
    : undefined;
const strings = (value: Json): string[] | undefined => {
  const list = typeof value === "string" ? [value] : value;
  return Array.isArray(list) && list.length > 0 && list.every((v) => typeof v === "string")
    ? (list as string[])
    : undefined;
};

/** The reader of each kind, for rows that have none of their own. */
const readers: { [K in ParamKind]: (value: Json) => Params[ParamName] } = {
  number: numberOf,
  boolean: booleanOf,
  text: textOf,
  texts: strings,
  weights: (value) => (isObject(value) ? (value as never) : undefined),
  labels,
};

/** A place where a table finds a parameter. */
interface Place {
  name: ParamName;
  keys: readonly string[];
  read(value: Json): Params[ParamName];
}

const compiled = new WeakMap<ParamTable, readonly Place[]>();

/** The places that a table reads, in the order in which they count. */
function placesOf(table: ParamTable): readonly Place[] {
  const before = compiled.get(table);
  if (before) return before;
  const places = table.flatMap(({ name, wire, also = [], read = readers[factOf(name).kind] }) =>
    [wire, ...also].map((path): Place => ({ name, keys: path.split("."), read })),
  );
  compiled.set(table, places);
  return places;
}

function at(record: JsonObject, keys: readonly string[]): Json | undefined {
  let value: Json | undefined = record;
  for (const key of keys) value = isObject(value) ? value[key] : undefined;
  return value;
}

function set(record: JsonObject, path: string, value: Json): void {
  const keys = path.split(".");
  const last = keys.pop() as string;
  let place = record;
  for (const key of keys) {
    if (!isObject(place[key])) place[key] = {};
    place = place[key] as JsonObject;
  }
  place[last] = value;
}

/** The parameters that a wire record holds. `null` is absent. */
export function readParams(table: ParamTable, wire: JsonObject): Params {
  const params: Record<string, unknown> = {};
  for (const { name, keys, read } of placesOf(table)) {
    const found = at(wire, keys);
    if (found === undefined || found === null || params[name] !== undefined) continue;
    const value = read(found);
    if (value !== undefined) params[name] = value;
  }
  return params as Params;
}

/**
 * Writes the parameters that the table has a row for into `wire`; the others are losses, and so are those that a model
 * with these traits refuses. `thinks` says that the request lets the model think.
 */
export function writeParams(
  table: ParamTable,
  params: Params,
  wire: JsonObject,
  lose: Lose,
  traits: Traits = {},
  thinks = true,
): void {
  for (const name of Object.keys(params) as ParamName[]) {
    const value = params[name];
    if (value === undefined) continue;
    const path = `/params/${name}`;
    const row = table.find((candidate) => candidate.name === name);
    if (!row) {
      lose(path, "unsupported");
      continue;
    }
    if (isRefused(name, params, traits, lose, thinks)) continue;
    if (row.needs !== undefined && !params[row.needs]) {
      lose(path, "unsupported", `refused without ${row.needs}`);
      continue;
    }
    const taken = bounded(name, value, traits, lose);
    const written = row.write ? row.write(taken as never, lose, path) : (taken as Json);
    const accepted = acceptedValue(written, traits.accepts?.[name as never], lose, path);
    if (accepted !== undefined) set(wire, row.wire, accepted);
  }
}

/** The value within the bounds that the model takes. */
function bounded(
  name: ParamName,
  value: unknown,
  { maxOutput, ranges, stops }: Traits,
  lose: Lose,
): Params[ParamName] {
  const path = `/params/${name}`;
  if (name === "stop" && stops !== undefined) return atMost(stops)(value as string[], lose, path);
  const range: readonly [number, number] | undefined =
    name === "maxTokens" && maxOutput !== undefined
      ? [Number.NEGATIVE_INFINITY, maxOutput]
      : ranges?.[name as keyof typeof ranges];
  return range ? within(...range)(value as number, lose, path) : (value as Params[ParamName]);
}

/** The first names of every place the table reads: fields of the wire that are not extra. */
export const paramFields = (table: ParamTable): string[] =>
  table.flatMap((row) => [row.wire, ...(row.also ?? [])]).map((path) => path.split(".")[0] as string);

/** The parameters that are texts, each by its member and the one around it (`text/verbosity`), in both casings. */
export const textFields = (table: ParamTable): string[] =>
  bothCasings(
    table
      .filter(({ name }) => ["text", "texts"].includes(factOf(name).kind))
      .flatMap(({ wire, also = [] }) => [wire, ...also])
      .map((path) => path.split(".").slice(-2).join("/")),
  );

/** A `write` that keeps a number within bounds and says when it had to move it. */
export const within =
  (min: number, max: number) =>
  (value: number, lose: Lose, path: string): number => {
    const kept = Math.min(max, Math.max(min, value));
    if (kept !== value)
      lose(path, "approximated", `${value} became ${kept}, the nearest value that the target accepts`);
    return kept;
  };

/** A `write` of a tier, by what the words of all wires become on this one; it says which it had to leave out. */
export const tierIn =
  (tiers: Readonly<Record<string, string>>) =>
  (value: string, lose: Lose, path: string): string | undefined => {
    const tier = lookup(tiers, value);
    if (tier === undefined) lose(path, "unsupported", `the target has no tier "${value}"`);
    return tier;
  };

/** A `write` that keeps the first `count` entries of a list and says what it left out. */
export const atMost =
  (count: number) =>
  (value: string[], lose: Lose, path: string): string[] => {
    if (value.length > count)
      lose(path, "approximated", `only the first ${count} of ${value.length} are kept`);
    return value.slice(0, count);
  };
