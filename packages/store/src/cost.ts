/**
 * What a price can name. Each price is an integer in micro-USD per 1,000,000 units: tokens for the first ten,
 * then images, seconds, characters and requests. A name without a price is free, except that a part of `input` or
 * `output` without a price of its own costs what the count it belongs to costs.
 */
export const UNITS = [
  "input",
  "cacheRead",
  "cacheWrite",
  "cacheWriteLong",
  "audioInput",
  "imageInput",
  "output",
  "reasoning",
  "audioOutput",
  "imageOutput",
  "images",
  "seconds",
  "characters",
  "requests",
] as const;
export type Unit = (typeof UNITS)[number];

/** Micro-USD per 1,000,000 units. */
export type Price = { readonly [unit in Unit]?: number };

/**
 * Counts of one generation. `input` includes the cache, audio and image parts, `cacheWrite` includes
 * `cacheWriteLong`, `output` includes reasoning, audio and image parts. All are whole numbers but `seconds`,
 * which counts to the millisecond.
 */
export type Counts = { readonly [unit in Unit]?: number };

type Part = readonly [unit: Unit, parts?: readonly Part[]];

const WHOLES: readonly Part[] = [
  ["input", [["cacheRead"], ["cacheWrite", [["cacheWriteLong"]]], ["audioInput"], ["imageInput"]]],
  ["output", [["reasoning"], ["audioOutput"], ["imageOutput"]]],
  ["images"],
  ["seconds"],
  ["characters"],
  ["requests"],
];

/** Counts are taken in thousandths, so that a duration is exact to the millisecond. */
const SCALE = 1000n;

/** A count, or the cost of it, is larger than a number can hold exactly. */
export class CostTooLarge extends RangeError {
  override readonly name = "CostTooLarge";
}

/**
 * The cost of one generation in micro-USD: every unit priced once, one rounding for the whole, upwards, so that
 * work with a price is never free. Other members of `usage` are ignored. Throws `CostTooLarge`, and a `RangeError`
 * naming a count or a price that is not a number from 0 up.
 */
export function costOf(usage: Counts, price: Price): number {
  let total = 0n;
  for (const part of WHOLES) total += priced(part, countOf(usage, part), 0n, usage, price);
  const scaled = SCALE * 1_000_000n;
  const cost = Number((total + scaled - 1n) / scaled);
  if (!Number.isSafeInteger(cost)) throw new CostTooLarge(`cost exceeds what an amount can hold: ${cost}`);
  return cost;
}

function priced([unit, parts = []]: Part, count: bigint, above: bigint, usage: Counts, price: Price): bigint {
  const own = price[unit];
  const rate = own === undefined ? above : toRate(own, unit);
  let rest = count;
  let total = 0n;
  for (const part of parts) {
    // Upstreams report parts that overlap (cached audio) or outgrow their whole; nothing is charged twice for it.
    const share = min(countOf(usage, part), rest);
    rest -= share;
    total += priced(part, share, rate, usage, price);
  }
  return total + rest * rate;
}

/** A whole that was not reported is the sum of its parts. */
function countOf(usage: Counts, [unit, parts = []]: Part): bigint {
  const count = usage[unit];
  if (count === undefined) return parts.reduce((sum, part) => sum + countOf(usage, part), 0n);
  const scaled = unit === "seconds" ? Math.round(count * Number(SCALE)) : count;
  if (scaled > Number.MAX_SAFE_INTEGER) throw new CostTooLarge(`usage.${unit} is too large: ${count}`);
  if (!Number.isSafeInteger(scaled) || scaled < 0)
    throw new RangeError(`usage.${unit} must be a count from 0 up, got ${count}`);
  return unit === "seconds" ? BigInt(scaled) : BigInt(scaled) * SCALE;
}

function toRate(value: number, unit: Unit): bigint {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`price.${unit} must be a whole number of micro-USD per million, got ${value}`);
  return BigInt(value);
}

const min = (a: bigint, b: bigint) => (a < b ? a : b);
