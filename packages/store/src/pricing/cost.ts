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
  webSearches: { per: 1, label: "perWebSearch" },
  groundedRequests: { per: 1, label: "perGroundedRequest" },
  fileSearches: { per: 1, label: "perFileSearch" },
  codeSessions: { per: 1, label: "perCodeSession" },
  mapSearches: { per: 1, label: "perMapSearch" },
} as const satisfies Record<string, UnitTerms>;

export type Unit = keyof typeof units;

/**
 * The units that a price can name: tokens and their parts, media, requests and calls of hosted tools. Every price is
 * an integer in micro-USD per 1,000,000 units. A name without a price is free, except that a part of `input` or
 * `output` without a price of its own costs as much as the unit to which it belongs.
 */
export const UNITS = Object.keys(units) as Unit[];

/** The properties of a unit. */
export const unitTerms = (unit: Unit): UnitTerms => units[unit];

/** The integer price that stands for one US dollar in a listed price of this unit. */
export const dollarOf = (unit: Unit): number => 1_000_000 * (1_000_000 / units[unit].per);

/** Micro-USD per 1,000,000 units. */
export type Price = { readonly [unit in Unit]?: number };

/**
 * Counts of one generation. `input` includes the cache, audio and image parts, `cacheWrite` includes
 * `cacheWriteLong`, `output` includes reasoning, audio and image parts. All are whole numbers but `seconds`,
 * which counts to the millisecond.
 */
export type Counts = { readonly [unit in Unit]?: number };

type Part = readonly [unit: Unit, parts?: readonly Part[]];

const partsOf = (whole: string | undefined): Part[] =>
  UNITS.filter((unit) => unitTerms(unit).of === whole).map((unit) => [unit, partsOf(unit)]);

/** The units that are not part of another, each with its parts. */
const WHOLES: readonly Part[] = partsOf(undefined);

/** Counts are taken in thousandths, so that a duration is exact to the millisecond. */
const SCALE = 1000n;

/** A count or a cost is larger than a number can hold exactly. */
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
  const by = { usage, price };
  for (const part of WHOLES) if (concerns(part, by)) total += priced(part, countOf(usage, part), 0n, by);
  const scaled = SCALE * 1_000_000n;
  const cost = Number((total + scaled - 1n) / scaled);
  if (!Number.isSafeInteger(cost)) throw new CostTooLarge(`cost exceeds what an amount can hold: ${cost}`);
  return cost;
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
  const lines: CostLine[] = [];
  const note: Note = (unit, rest, rate) => {
    if (rest > 0n) lines.push({ unit, count: Number(rest) / Number(SCALE), rate: Number(rate) });
  };
  for (const part of WHOLES) priced(part, countOf(usage, part), 0n, { usage, price, note });
  return lines;
}

/** Checks whether a unit or a part of it has a count or a price; most have neither. */
const concerns = ([unit, parts = []]: Part, by: { usage: Counts; price: Price }): boolean =>
  by.usage[unit] !== undefined || by.price[unit] !== undefined || parts.some((part) => concerns(part, by));

type Note = (unit: Unit, rest: bigint, rate: bigint) => void;

function priced(
  [unit, parts = []]: Part,
  count: bigint,
  above: bigint,
  by: { usage: Counts; price: Price; note?: Note },
): bigint {
  const { usage, price, note } = by;
  const unitPrice = price[unit];
  const rate = unitPrice === undefined ? above : toRate(unitPrice, unit);
  let rest = count;
  let total = 0n;
  for (const part of parts) {
    if (!concerns(part, by)) continue;
    // Upstreams report parts that overlap (cached audio) or exceed their whole: `min` prevents double charges.
    const share = min(countOf(usage, part), rest);
    rest -= share;
    total += priced(part, share, rate, by);
  }
  note?.(unit, rest, rate);
  return total + rest * rate;
}

/** The count of a unit; if it was not reported, the sum of its parts. */
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
