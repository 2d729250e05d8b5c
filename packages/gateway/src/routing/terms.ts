import { operations, outputModality } from "@manifold-gateway/core/capability";
import { type CallUnit, lookup } from "@manifold-gateway/core/codec";
import { countedUnits, sells } from "@manifold-gateway/core/pricing";
import { type Provider, surchargesOf } from "@manifold-gateway/providers";
import { dollarOf, type Price, UNITS, type Unit, unitTerms } from "@manifold-gateway/store";
import type { Entry, Model } from "../ports/catalog.ts";
import type { Skip } from "./candidate.ts";
import { type Operation, outputs } from "./operation.ts";

/** The terms on which an entry is sold. */
export interface Terms {
  /** The entry's price, with the provider's prices of hosted tools that the entry does not price. */
  price: Price;
  /** Factors of the token prices by mode and value. The usual values are absent: they have no surcharge. */
  factors: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Whether anything has a price above 0. */
  isSold: boolean;
  /** The operations of which the price counts something, or that are free on purpose. */
  sells: ReadonlySet<Operation>;
}

/** The factor for a value of a mode; undefined if the entry has no price for it. */
export function factorOf({ factors }: Terms, mode: string, value: string): number | undefined {
  const values = lookup(factors, mode);
  return values && lookup(values, value);
}

const termsByEntry = new WeakMap<Entry, { provider: Provider; terms: Terms }>();

/** The terms of an entry; undefined if it has no price. Computed once for each entry. */
export function termsOf(entry: Entry, provider: Provider): Terms | undefined {
  const before = termsByEntry.get(entry);
  if (before?.provider === provider) return before.terms;
  const { price } = entry;
  if (!price) return undefined;
  const { calls = {}, factors = {} } = surchargesOf(provider.surcharges ?? [], entry.name);
  const isSold = Object.values(price).some((rate) => rate > 0);
  const called = Object.entries(calls).map(([unit, usd]) => [
    unit,
    Math.round(usd * dollarOf(unit as CallUnit)),
  ]);
  const terms: Terms = {
    // A free entry stays free: hosted tools that its provider bills are refused until the entry prices them.
    price: isSold ? { ...(Object.fromEntries(called) as Price), ...price } : price,
    factors: { ...factors, ...entry.factors },
    isSold,
    sells: new Set(operations.filter((operation) => sells(price, operation))),
  };
  termsByEntry.set(entry, { provider, terms });
  return terms;
}

/** Why a price, or none, does not sell an operation; undefined if it does. */
export function whyUnpriced(price: Price | undefined, operation: Operation): Skip | undefined {
  if (!price) return { why: "unpriced" };
  if (sells(price, operation)) return undefined;
  const rated = UNITS.filter((unit) => (price[unit] ?? 0) > 0).join(", ");
  const counted = countedUnits(operation).join(", ");
  return {
    why: "unpriced",
    detail: `its price is for ${rated}, and ${outputs[operation].word} can be counted by ${counted}`,
  };
}

/** The prices that work at an entry may have: its own, and those of its tiers. */
export const pricesOf = ({ price, tiers = [] }: Pick<Entry, "price" | "tiers">): Price[] => [
  ...(price ? [price] : []),
  ...tiers.map((tier): Price => tier.price),
];

/** Whether a price of an entry counts one of its model's outputs: no request is sent to an entry without. */
export const isForSale = (
  entry: Pick<Entry, "price" | "tiers">,
  { outputModalities }: Pick<Model, "outputModalities">,
): boolean =>
  operations
    .filter((operation) => outputModalities.includes(outputModality[operation]))
    .some((operation) => pricesOf(entry).some((price) => sells(price, operation)));

const isToken = (unit: Unit): boolean => unitTerms(unit).per > 1 && unit !== "characters";

/** A price with its token rates multiplied by a factor, rounded up. */
export function priceTimes(price: Price, factor: number): Price {
  if (factor === 1) return price;
  return Object.fromEntries(
    UNITS.flatMap((unit) => {
      const rate = price[unit];
      if (rate === undefined) return [];
      // A factor such as 1.1 is not exact in binary: a smaller excess over a whole number is rounding error.
      return [[unit, isToken(unit) ? Math.ceil(rate * factor - 1e-6) : rate]];
    }),
  ) as Price;
}
