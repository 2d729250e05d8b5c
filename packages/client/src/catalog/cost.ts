import type { Usage } from "@manifold-gateway/core/ir";
import { dollarOf, costOf as exactCostOf, type Unit } from "@manifold-gateway/core/pricing";

/** A unit of prices: tokens, or a part of them; of rankings also searches. */
export type TokenUnit = Extract<Unit, keyof Usage | "searchUnits">;

/** US dollars for a million tokens, by unit: `{ input: 5, output: 25, cacheRead: 0.5 }`; of `searchUnits` for one. */
export type TokenPrice = { readonly [Unit in TokenUnit]?: number };

/**
 * The cost of an answer in micro-USD, a whole number that is rounded up once: what the service charges for the same
 * usage and price.
 *
 *     costOf({ input: 1000, output: 200 }, { input: 5, output: 25 }); // 10000, which is one cent
 */
export const costOf = (usage: Usage & { searchUnits?: number }, price: TokenPrice): number =>
  exactCostOf(
    usage,
    Object.fromEntries(
      Object.entries(price).map(([unit, dollars]) => [
        unit,
        Math.round(dollars * dollarOf(unit as TokenUnit)),
      ]),
    ),
  );
