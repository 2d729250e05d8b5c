import { type Json, type JsonObject, toObject } from "@manifold-gateway/core/codec";

/**
 * Reads the models of tables. A row is a whole entry, or a merge patch (RFC 7396) of an earlier row that it `extends`.
 * Prices are written as vendors list them: in US dollars for a million tokens, one image, one second.
 */
export function modelsOf<Model>(...tables: object[]): Readonly<Record<string, Model>> {
  const whole: Record<string, JsonObject> = {};
  for (const [name, row] of tables.flatMap((table) => Object.entries(table))) {
    const { extends: base, $comment: _, ...members } = toObject(row);
    if (base !== undefined && !whole[String(base)])
      throw new Error(`${name} extends ${base}, which is not known`);
    whole[name] = toObject(merge(whole[String(base)], members));
  }
  return Object.fromEntries(Object.entries(whole).map(([name, row]) => [name, priced(row) as Model]));
}

function merge(base: Json | undefined, patch: Json): Json {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const { ...merged } = toObject(base);
  for (const [name, value] of Object.entries(patch))
    if (value === null) delete merged[name];
    else if (value !== undefined) merged[name] = merge(merged[name], value);
  return merged;
}

const PIECES = new Set(["images", "seconds", "requests"]);

/** Converts prices to the ledger's unit: micro-USD for a million units. */
const priced = ({ tiers, ...row }: JsonObject): unknown => ({
  ...row,
  tiers: (tiers as { price: Record<string, number> }[]).map(({ price, ...tier }) => ({
    ...tier,
    price: Object.fromEntries(
      Object.entries(price).map(([unit, usd]) => [unit, Math.round(usd * (PIECES.has(unit) ? 1e12 : 1e6))]),
    ),
  })),
});
