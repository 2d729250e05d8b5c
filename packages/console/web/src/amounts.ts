import { dollars, LEAST_DIGITS, MOST_DIGITS } from "./format.ts";

/** The decimals that a column may have: cents, hundredths of a cent, millionths of a dollar. */
const STEPS = [LEAST_DIGITS, 4, MOST_DIGITS] as const;
/** The share of a column that has to be above zero as shown. */
const SHARE = 0.75;

/** Checks whether an amount has no more decimals than these. */
const isWhole = (size: number, digits: number): boolean =>
  Math.round(size * 10 ** MOST_DIGITS) % 10 ** (MOST_DIGITS - digits) === 0;

/**
 * The decimals in which a column of amounts is read: as few as show most of them above zero. Large amounts stay short: a
 * column that reaches a dollar has no millionths, one that reaches ten thousand has cents.
 */
export function decimalsOf(amounts: readonly (number | undefined)[]): number {
  const sizes = amounts.flatMap((amount) => (amount ? [Math.abs(amount)] : []));
  const greatest = Math.max(0, ...sizes);
  const bound = greatest >= 10_000 ? LEAST_DIGITS : greatest >= 1 ? 4 : MOST_DIGITS;
  const tells = (digits: number): boolean =>
    sizes.filter((size) => size >= 10 ** -digits || isWhole(size, digits)).length >= sizes.length * SHARE;
  return STEPS.find((digits) => digits >= bound || tells(digits)) ?? bound;
}

/** An amount with the decimals of its column; what would read as zero is said to be below the least. */
export function amountIn(amount: number | undefined, decimals: number): string {
  if (amount === undefined) return "–";
  const shown = (value: number): string => dollars(value, decimals, decimals);
  const least = 10 ** -decimals;
  return amount !== 0 && Math.abs(amount) < least / 2 ? `<${shown(least)}` : shown(amount);
}
