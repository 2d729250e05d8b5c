import type { Usage } from "@manifold-gateway/core/ir";

/** The units of prices, each with the one that it is a part of: a part without a price costs as much as its whole. */
const units = [
  ["input"],
  ["cacheRead", "input"],
  ["cacheWrite", "input"],
  ["cacheWriteLong", "cacheWrite"],
  ["audioInput", "input"],
  ["imageInput", "input"],
  ["output"],
  ["reasoning", "output"],
  ["audioOutput", "output"],
  ["imageOutput", "output"],
] as const;

/** A unit of prices: tokens, or a part of them. */
export type TokenUnit = (typeof units)[number][0];

/** US dollars for a million tokens, by unit: `{ input: 5, output: 25, cacheRead: 0.5 }`. */
export type TokenPrice = { readonly [Unit in TokenUnit]?: number };

/**
 * The cost of an answer in micro-USD, a whole number that is rounded up once: what the service charges for the same
 * usage and price.
 *
 *     costOf({ input: 1000, output: 200 }, { input: 5, output: 25 }); // 10000, which is one cent
 */
export function costOf(usage: Usage, price: TokenPrice): number {
  const rates = new Map<TokenUnit, bigint>();
  const rests = new Map<TokenUnit, bigint>();
  for (const [unit, whole] of units) {
    const listed = price[unit];
    rates.set(
      unit,
      listed === undefined ? ((whole && rates.get(whole)) ?? 0n) : BigInt(Math.round(listed * 1_000_000)),
    );
    const count = BigInt(usage[unit] ?? (unit === "cacheWrite" ? usage.cacheWriteLong : 0) ?? 0);
    // Providers report parts that overlap or exceed their whole: no token costs twice.
    const most = whole && (rests.get(whole) ?? 0n);
    const share = most !== undefined && count > most ? most : count;
    if (whole) rests.set(whole, (rests.get(whole) ?? 0n) - share);
    rests.set(unit, share);
  }
  let total = 0n;
  for (const [unit] of units) total += (rests.get(unit) ?? 0n) * (rates.get(unit) ?? 0n);
  return Number((total + 999_999n) / 1_000_000n);
}
