import { type AnyCodec, parseWire } from "@manifold-gateway/core";
import { isRaw, type Json, type JsonObject, SEAL_MARK } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareRequests } from "./compare.requests.ts";
import { untold } from "./facts.ts";
import { every, generous, of, readRequest, requests } from "./fixtures.ts";
import { send } from "./send.ts";

const RUNS = 250;

type Place = (string | number)[];
const placesIn = (value: Json, path: Place = []): Place[] =>
  typeof value === "object" && value !== null && !isRaw(value)
    ? [
        ...(path.length > 0 ? [path] : []),
        ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner as Json, [...path, key])),
      ]
    : [path];

/** What clients leave out, in each of the ways that they do it, and what they say twice. */
const ways = ["null", "missing", "empty", "repeated"] as const;

const emptied = (value: Json): Json =>
  typeof value === "string" ? "" : Array.isArray(value) ? [] : typeof value === "object" ? {} : value;

function changed(wire: Json, dice: number, way: (typeof ways)[number]): Json {
  const places = placesIn(wire).filter(([name]) => name !== "model");
  const path = places[dice % places.length];
  if (path === undefined) return wire;
  const copy = parseWire(JSON.stringify(wire)) as Json;
  const holder = path.slice(0, -1).reduce<Json>((at, key) => (at as Record<string, Json>)[key] as Json, copy);
  const at = holder as Record<string, Json>;
  const last = path.at(-1) as string;
  const value = at[last] as Json;
  if (way === "null") at[last] = null;
  else if (way === "empty") at[last] = emptied(value);
  else if (way === "repeated") {
    if (Array.isArray(holder)) holder.splice(Number(last), 0, value);
  } else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete at[last];
  return copy;
}

const isOwn = (value: JsonObject): boolean => !JSON.stringify(value).includes(SEAL_MARK);
const wiresOf = (codec: AnyCodec): fc.Arbitrary<Json> =>
  fc
    .tuple(
      fc.constantFrom(
        ...of(requests, codec)
          .map(({ value }) => value)
          .filter(isOwn),
      ),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(...ways)), { minLength: 1, maxLength: 3 }),
    )
    .map(([wire, changes]) => changes.reduce<Json>((now, [dice, way]) => changed(now, dice, way), wire));

describe("requests with null, missing, empty or repeated members", () => {
  const cases = every.flatMap((from) => every.map((to) => [from.protocol, to.protocol, from, to] as const));
  test.each(cases)(
    "members that are null, missing, empty or repeated arrive, or a loss names them: %s to %s",
    (_, _to, from, to) => {
      let read = 0;
      fc.assert(
        fc.property(wiresOf(from), (wire) => {
          if (!from.request.schema.safeParse(wire).success) return;
          read += 1;
          const { sent, arrived, losses } = send(readRequest(from, wire), to, generous);
          expect({
            untold: untold(compareRequests(sent, arrived, to.protocol, losses), losses, generous),
            losses,
          }).toEqual({ untold: [], losses });
          const again = send(arrived, to, generous);
          expect(again.arrived).toEqual(arrived);
          expect(again.losses).toEqual([]);
        }),
        { numRuns: RUNS },
      );
      expect(read).toBeGreaterThan(RUNS / 4);
    },
  );
});
