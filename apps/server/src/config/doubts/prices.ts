import { closestName } from "@manifold-gateway/core/capability";
import { factNames } from "@manifold-gateway/core/operations";
import { unitTerms } from "@manifold-gateway/core/pricing";
import type { Unit } from "@manifold-gateway/store";
import { type Problem, problemAt } from "../problem.ts";
import type { Config } from "../schema.ts";

type Prices = Readonly<Partial<Record<string, number>>>;

/** The prices in US dollars that anyone asks, by the number of units that they are for. */
const USUAL = {
  1000000: { from: 0.001, to: 10_000 },
  1: { from: 0, to: 1_000 },
} as const;

/**
 * Prices that no request gets, and those that are some orders of magnitude from what anyone asks, as those of a single
 * token are.
 */
export const doubtsOfPrices = ({ models, providers }: Config): Problem[] => [
  ...Object.entries(models).flatMap(([id, { entries }]) =>
    entries.flatMap(({ price = {}, tiers = [] }, i) => {
      const at = ["models", id, "entries", i];
      return [
        ...doubtsAt([...at, "price"], price),
        ...tiers.flatMap((tier, n) => [
          ...doubtsOfFacts([...at, "tiers", n, "when"], tier.when),
          ...doubtsAt([...at, "tiers", n, "price"], tier.price),
        ]),
      ];
    }),
  ),
  ...Object.entries(providers).flatMap(([id, { surcharges = [] }]) =>
    surcharges.flatMap(({ calls = {} }, i) => doubtsAt(["providers", id, "surcharges", i, "calls"], calls)),
  ),
];

const FACTS: readonly string[] = Object.values(factNames).flat();

/** Conditions of a price that never hold, as nothing of a request has their name. */
const doubtsOfFacts = (path: readonly PropertyKey[], when: object = {}): Problem[] =>
  Object.keys(when).flatMap((name) => {
    if (FACTS.includes(name)) return [];
    const meant = closestName(name, FACTS);
    const hint = meant === undefined ? `; known are ${FACTS.join(", ")}` : `. Did you mean '${meant}'?`;
    return [problemAt([...path, name], `no price depends on this, so this one is never used${hint}`)];
  });

const doubtsAt = (path: readonly PropertyKey[], prices: Prices): Problem[] =>
  Object.entries(prices).flatMap(([unit, price = 0]) => {
    const { per } = unitTerms(unit as Unit);
    const { from, to } = USUAL[per];
    if (price === 0 || (price >= from && price <= to)) return [];
    return [problemAt([...path, unit], per === 1 ? ofOne(price) : ofMany(price, unit, price < from))];
  });

const ofOne = (price: number): string =>
  `${dollars(price)} for each one: the price is that of one, and not of many`;

function ofMany(price: number, unit: string, isSmall: boolean): string {
  const what = unit === "characters" ? unit : "tokens";
  const meant = isSmall
    ? `If it is the price of one, write ${plain(price * 1_000_000)}; if that of 1,000, ${plain(price * 1_000)}`
    : `The price is that of 1,000,000`;
  return `${dollars(price / 1_000)} for 1,000 ${what}. ${meant}`;
}

const dollars = (price: number): string => `comes to ${plain(price)} US dollars`;

/** A number without an exponent, and without the noise of fractions in base 2. */
const plain = (value: number): string =>
  new Intl.NumberFormat("en", { maximumSignificantDigits: 6, useGrouping: false }).format(value);
