import { type CallUnit, lookup } from "@manifold-gateway/core/codec";
import { type Provider, surchargesOf } from "@manifold-gateway/providers";
import { dollarOf, type Price, UNITS, type Unit, unitTerms } from "@manifold-gateway/store";
import type { Entry } from "../ports/catalog.ts";

/** The terms on which an entry is sold. */
export interface Terms {
  /** Its own price, with the provider's prices of hosted tools where it has none of its own. */
  price: Price;
  /** Factors of the token prices by mode and value, beside the usual values, which cost the usual price. */
  factors: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The factor for a value of a mode; nothing where the entry has no price for it. */
export function factorOf({ factors }: Terms, mode: string, value: string): number | undefined {
  const values = lookup(factors, mode);
  return values && lookup(values, value);
}

const known = new WeakMap<Entry, { provider: Provider; terms: Terms }>();

/** The terms of an entry; nothing where it has no price. Worked out once for each entry. */
export function termsOf(entry: Entry, provider: Provider): Terms | undefined {
  const before = known.get(entry);
  if (before?.provider === provider) return before.terms;
  if (!entry.price) return undefined;
  const { calls = {}, factors = {} } = surchargesOf(provider.surcharges ?? [], entry.name);
  const isSold = Object.values(entry.price).some((rate) => rate > 0);
  const called = Object.entries(calls).map(([unit, usd]) => [
    unit,
    Math.round(usd * dollarOf(unit as CallUnit)),
  ]);
  const terms: Terms = {
    // A free entry stays free: what its vendor bills for tools is refused there until it has a price.
    price: isSold ? { ...(Object.fromEntries(called) as Price), ...entry.price } : entry.price,
    factors: { ...factors, ...entry.factors },
  };
  known.set(entry, { provider, terms });
  return terms;
}

const isToken = (unit: Unit): boolean => unitTerms(unit).per > 1 && unit !== "characters";

/** A price with its token rates times a factor, rounded up. */
export function priceTimes(price: Price, factor: number): Price {
  if (factor === 1) return price;
  return Object.fromEntries(
    UNITS.flatMap((unit) => {
      const rate = price[unit];
      if (rate === undefined) return [];
      // A factor such as 1.1 is not exact in binary: what is above a whole number by less than that is none.
      return [[unit, isToken(unit) ? Math.ceil(rate * factor - 1e-6) : rate]];
    }),
  ) as Price;
}
