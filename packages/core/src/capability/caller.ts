import type { ParamTable } from "../codec/params.ts";
import { snake } from "../codec/snake-case.ts";
import type { WireFacts } from "../codec/wire-facts.ts";
import type { Protocol } from "../ir/part.ts";
import { isObject } from "../json/json.ts";
import type { Origins } from "../translate/origins.ts";
import { spelled } from "./fields.ts";

/** Facts about the caller beside the canonical request, so that findings use its own names. */
export interface Caller {
  /** The caller's codec. */
  codec: { protocol: Protocol; params: ParamTable; facts: Pick<WireFacts, "spellings"> };
  /** The body as it was sent, or what its schema made of it: shows which of several spellings was used. */
  wire?: Readonly<Record<string, unknown>>;
  /** Where nodes stood on the wire, as `decode` traced them. */
  origins?: Origins;
}

/** A place of a wire: the keys to it, and its pointer. */
interface Place {
  keys: readonly string[];
  pointer: string;
}

/** The places of parameters, computed once for each table. */
const placesByTable = new WeakMap<ParamTable, [name: string, places: Place[]][]>();

function placesOf({ facts, params }: Caller["codec"]): [name: string, places: Place[]][] {
  const before = placesByTable.get(params);
  if (before) return before;
  const rows = params.map(({ name, wire, also = [] }): [string, readonly string[]] => [
    name,
    [wire, ...also],
  ]);
  for (const name of spelled) {
    const paths = facts.spellings[name];
    if (paths) rows.push([name, paths]);
  }
  const places = rows.map(([name, paths]): [string, Place[]] => [
    name,
    // Some wires take every name in snake case as well.
    paths.flatMap((path) => [...new Set([path, snake(path)])]).map(toPlace),
  ]);
  placesByTable.set(params, places);
  return places;
}

const toPlace = (path: string): Place => ({
  keys: path.split("."),
  pointer: `/${path.replaceAll(".", "/")}`,
});

/** The caller's pointers for parameters: of several spellings the one that the body has. */
export const namesOf = ({ codec, wire }: Caller): Map<string, string> =>
  new Map(
    placesOf(codec).map(([name, places]) => [
      name,
      (places.find(({ keys }) => has(wire, keys)) ?? (places[0] as Place)).pointer,
    ]),
  );

function has(wire: Caller["wire"], keys: readonly string[]): boolean {
  let value: unknown = wire;
  for (const key of keys) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value !== undefined && value !== null;
}
