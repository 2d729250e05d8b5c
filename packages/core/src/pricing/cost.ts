/** The properties of a unit. */
interface UnitTerms {
  /** The number of units that a listed price is for: a million tokens, one image. */
  per: 1 | 1_000_000;
  /** The unit of which it is a part. Without a price of its own, it costs as much as that unit. */
  of?: string;
  /** The name of its price in listings. */
  label?: string;
}

const units = {
  input: { per: 1_000_000 },
  cacheRead: { per: 1_000_000, of: "input" },
  cacheWrite: { per: 1_000_000, of: "input" },
  cacheWriteLong: { per: 1_000_000, of: "cacheWrite" },
  audioInput: { per: 1_000_000, of: "input" },
  imageInput: { per: 1_000_000, of: "input" },
  output: { per: 1_000_000 },
  reasoning: { per: 1_000_000, of: "output" },
  audioOutput: { per: 1_000_000, of: "output" },
  imageOutput: { per: 1_000_000, of: "output" },
  images: { per: 1, label: "perImage" },
  seconds: { per: 1, label: "perSecond" },
  characters: { per: 1_000_000 },
  requests: { per: 1, label: "perRequest" },
  searchUnits: { per: 1, label: "perSearchUnit" },
  webSearches: { per: 1, label: "perWebSearch" },
  groundedRequests: { per: 1, label: "perGroundedRequest" },
  fileSearches: { per: 1, label: "perFileSearch" },
  codeSessions: { per: 1, label: "perCodeSession" },
  mapSearches: { per: 1, label: "perMapSearch" },
} as const satisfies Record<string, UnitTerms>;

/** A unit of prices: `input`, `images`, … */
export type Unit = keyof typeof units;

/**
 * The units that a price can name: tokens and their parts, media, requests and calls of hosted tools. Every price is
 * an integer in micro-USD per 1,000,000 units. A name without a price is free, except that a part of `input` or
 * `output` without a price of its own costs as much as the unit to which it belongs.
 */
export const UNITS = Object.keys(units) as Unit[];

/** The properties of a unit. */
export const unitTerms = (unit: Unit): UnitTerms => units[unit];

/** The integer price that stands for one US dollar in a listed price of this unit. Throws a `RangeError` for no unit. */
export function dollarOf(unit: Unit): number {
  if (!isUnit(unit)) throw new RangeError(`'${unit}' is not a unit of prices, which are ${UNITS.join(", ")}`);
  return 1_000_000 * (1_000_000 / units[unit].per);
}

/** Whether a name is one of a unit: in data that no compiler has checked, a price by another name would be free. */
export const isUnit = (name: string): name is Unit => Object.hasOwn(units, name);

/** Micro-USD per 1,000,000 units. */
export type Price = { readonly [unit in Unit]?: number };

/**
 * Counts of one generation. `input` includes the cache, audio and image parts, `cacheWrite` includes
 * `cacheWriteLong`, `output` includes reasoning, audio and image parts. All are whole numbers but `seconds`,
 * which counts to the millisecond.
 */
export type Counts = { readonly [unit in Unit]?: number };

/** The places of units in `ORDER`, each before its parts, and each after its parts: the order of the lines of a cost. */
function readUnits(): { order: Unit[]; wholes: number[]; lines: number[] } {
  const order: Unit[] = [];
  const wholes: number[] = [];
  const lines: number[] = [];
  const add = (unit: Unit, whole: number): void => {
    const at = order.length;
    order.push(unit);
    wholes.push(whole);
    for (const part of UNITS) if (unitTerms(part).of === unit) add(part, at);
    lines.push(at);
  };
  for (const unit of UNITS) if (unitTerms(unit).of === undefined) add(unit, NOTHING);
  return { order, wholes, lines };
}
/** In place of the whole, for a unit that stands alone. */
const NOTHING = -1;
/** All units, each before its parts; the place of each one's whole; and the places, each after its parts. */
const { order: ORDER, wholes: WHOLES, lines: LINES } = readUnits();
const PLACES: ReadonlyMap<string, number> = new Map(ORDER.map((unit, at) => [unit, at]));

/** Seconds are counted in thousandths, so that a duration is exact to the millisecond. */
const SCALE = 1000;
/** The thousandths in the count of each unit, in the order of `ORDER`. */
const THOUSANDTHS: readonly number[] = ORDER.map((unit) => (unit === "seconds" ? 1 : SCALE));
/** The thousandths of a count whose cost is the rate. */
const RATED = SCALE * 1_000_000;

/** A count or a cost is larger than a number can hold exactly. */
export class CostTooLarge extends RangeError {
  override readonly name = "CostTooLarge";
}

/**
 * The cost of one generation in micro-USD: every unit priced once, one rounding for the whole, upwards, so that
 * work with a price is never free. Other members of `usage` are ignored. Throws `CostTooLarge`, and a `RangeError`
 * naming a count or a price that is not a number from 0 up.
 *
 *     const price = { input: 5 * dollarOf("input"), output: 25 * dollarOf("output") }; // dollars for a million tokens
 *     costOf({ input: 1000, output: 200 }, price); // 10000, which is one cent
 */
export function costOf(usage: Counts, price: Price): number {
  const rates = ratesOf(price);
  const counts = countsWithoutParts(usage);
  let total = 0;
  for (let i = 0; i < counts.length; i++)
    total += (counts[i] as number) * (rates[i] as number) * (THOUSANDTHS[i] as number);
  // No part of a sum that is safe was rounded.
  const cost = Number.isSafeInteger(total)
    ? (total + ((RATED - (total % RATED)) % RATED)) / RATED
    : exactCost(counts, rates);
  if (!Number.isSafeInteger(cost)) throw new CostTooLarge(`cost exceeds what an amount can hold: ${cost}`);
  return cost;
}

/** A cost whose sum is too large for a number. */
function exactCost(counts: readonly number[], rates: readonly number[]): number {
  let total = 0n;
  for (let i = 0; i < counts.length; i++)
    total += BigInt(counts[i] as number) * BigInt(rates[i] as number) * BigInt(THOUSANDTHS[i] as number);
  const rated = BigInt(RATED);
  return Number((total + rated - 1n) / rated);
}

/** The count of one unit without its parts, and its price in micro-USD per million. */
export interface CostLine {
  unit: Unit;
  count: number;
  rate: number;
}

/**
 * The lines that `costOf` adds up: the sum of `count * rate` over them, divided by a million and rounded up, is the
 * cost. Units without a count have no line.
 */
export function costLines(usage: Counts, price: Price): CostLine[] {
  const rates = ratesOf(price);
  const counts = countsWithoutParts(usage);
  return LINES.filter((at) => (counts[at] as number) > 0).map((at) => ({
    unit: ORDER[at] as Unit,
    count: ((counts[at] as number) * (THOUSANDTHS[at] as number)) / SCALE,
    rate: rates[at] as number,
  }));
}

const ratesByPrice = new WeakMap<Price, readonly number[]>();

/** The rates of all units, in the order of `ORDER`. Computed once for each price. */
function ratesOf(price: Price): readonly number[] {
  const before = ratesByPrice.get(price);
  if (before) return before;
  const rates: number[] = [];
  for (const [at, unit] of ORDER.entries()) {
    const rate = price[unit];
    rates.push(rate === undefined ? (rates[WHOLES[at] as number] ?? 0) : toRate(rate, unit));
  }
  ratesByPrice.set(price, rates);
  return rates;
}

const UNREPORTED = -1;
const NONE_REPORTED: readonly number[] = ORDER.map(() => UNREPORTED);
const NO_PARTS: readonly number[] = ORDER.map(() => 0);

/** The counts of all units without their parts, in the order of `ORDER`; seconds in thousandths. */
function countsWithoutParts(usage: Counts): number[] {
  const counts = NONE_REPORTED.slice();
  for (const unit in usage) {
    const at = PLACES.get(unit);
    const count = usage[unit as Unit];
    if (at !== undefined && count !== undefined) counts[at] = toCount(count, unit as Unit);
  }
  // A unit that was not reported is the sum of its parts, which come after it.
  const parts = NO_PARTS.slice();
  for (let at = counts.length - 1; at >= 0; at--) {
    const whole = WHOLES[at] as number;
    const sum = parts[at] as number;
    if (counts[at] === UNREPORTED) counts[at] = sum === 0 ? 0 : toCount(sum, ORDER[at] as Unit);
    if (whole !== NOTHING) parts[whole] = (parts[whole] as number) + (counts[at] as number);
  }
  // Upstreams report parts that overlap (cached audio) or exceed their whole: no unit is charged twice.
  for (let at = 0; at < counts.length; at++) {
    const whole = WHOLES[at] as number;
    if (whole === NOTHING) continue;
    const share = Math.min(counts[at] as number, counts[whole] as number);
    counts[at] = share;
    counts[whole] = (counts[whole] as number) - share;
  }
  return counts;
}

/** A count as it is added up: of seconds in thousandths. */
function toCount(count: number, unit: Unit): number {
  const scaled = unit === "seconds" ? Math.round(count * SCALE) : count;
  if (scaled > Number.MAX_SAFE_INTEGER) throw new CostTooLarge(`usage.${unit} is too large: ${count}`);
  if (!Number.isSafeInteger(scaled) || scaled < 0)
    throw new RangeError(`usage.${unit} must be a count from 0 up, got ${count}`);
  return scaled;
}

function toRate(value: number, unit: Unit): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`price.${unit} must be a whole number of micro-USD per million, got ${value}`);
  return value;
}
