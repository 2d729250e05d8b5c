import { parseWire } from "@manifold-gateway/core";
import { isRaw, type Json, parseArguments } from "@manifold-gateway/core/codec";
import fc from "fast-check";

/** What stands where something else should. */
export const odd = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    0,
    -1,
    1.5,
    1e300,
    "",
    " ",
    "x",
    "[DONE]",
    "__proto__",
    [],
    {},
    [null],
    [[]],
    { type: "text" },
    { index: -1 },
    parseArguments("12345678901234567890") as Json,
  ),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);

export type Place = (string | number)[];
export const placesIn = (value: Json, path: Place = []): Place[] =>
  typeof value === "object" && value !== null && !isRaw(value)
    ? [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner as Json, [...path, key]))]
    : [path];

/** A value with one place replaced, taken out or said twice. */
function mutated(value: Json, dice: number, kind: number, replacement: Json): Json {
  const places = placesIn(value);
  const path = places[dice % places.length] as Place;
  if (path.length === 0) return replacement;
  const copy = parseWire(JSON.stringify(value)) as Json;
  let at = copy as Record<string, Json>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, Json>;
  const last = path.at(-1) as string;
  if (kind === 0 && Array.isArray(at)) at.splice(Number(last), 1);
  else if (kind === 0) delete at[last];
  else if (kind === 1 && Array.isArray(at)) at.push(at[Number(last)] as Json);
  else at[last] = replacement;
  return copy;
}

export const mutation = <T extends Json>(values: readonly T[]): fc.Arbitrary<Json> =>
  fc
    .tuple(
      fc.constantFrom(...values),
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), odd), { minLength: 1, maxLength: 3 }),
    )
    .map(([value, changes]) =>
      changes.reduce<Json>((now, [dice, kind, other]) => mutated(now, dice, kind, other), value),
    );
