import { type Json, type JsonObject, toObject } from "@manifold-gateway/core/codec";
import { dollarOf, type Price, type Unit } from "@manifold-gateway/core/pricing";

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

type Usd = Record<string, number>;

/** Converts prices to the ledger's unit: micro-USD for a million units. */
const toPrice = (usd: Usd): Price =>
  Object.fromEntries(
    Object.entries(usd).map(([unit, amount]) => [unit, Math.round(amount * dollarOf(unit as Unit))]),
  );

const priced = ({ price, tiers, ...row }: JsonObject): unknown => ({
  ...row,
  ...(price !== undefined && { price: toPrice(price as Usd) }),
  ...(tiers !== undefined && {
    tiers: (tiers as { price: Usd }[]).map((tier) => ({ ...tier, price: toPrice(tier.price) })),
  }),
});
