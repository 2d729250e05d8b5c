import type { Usage } from "@manifold-gateway/core/ir";
import { dollarOf, costOf as exactCostOf, type Unit } from "@manifold-gateway/core/pricing";

/** What is counted beside tokens: searches of rankings, seconds of sound, and characters of speech. */
interface OtherCounts {
  searchUnits?: number;
  seconds?: number;
  characters?: number;
}

/** A unit of prices: tokens, or a part of them; of rankings also searches, of sound seconds or characters. */
export type TokenUnit = Extract<Unit, keyof Usage | keyof OtherCounts>;

/**
 * US dollars for a million tokens or characters, by unit: `{ input: 5, output: 25, cacheRead: 0.5 }`; of `searchUnits`
 * and `seconds` for one.
 */
export type TokenPrice = { readonly [Unit in TokenUnit]?: number };

/**
 * The cost of an answer in micro-USD, a whole number that is rounded up once: what the service charges for the same
 * usage and price.
 *
 *     costOf({ input: 1000, output: 200 }, { input: 5, output: 25 }); // 10000, which is one cent
 */
export const costOf = (usage: Usage & OtherCounts, price: TokenPrice): number =>
  exactCostOf(
    usage,
    Object.fromEntries(
      Object.entries(price).map(([unit, dollars]) => [
        unit,
        Math.round(dollars * dollarOf(unit as TokenUnit)),
      ]),
    ),
  );
