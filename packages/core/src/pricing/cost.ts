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

/** A unit with its parts, and the place of its whole in `NODES`. */
interface Node {
  unit: Unit;
  parts: readonly Node[];
  whole: number | undefined;
}

/** All units, each before its parts, and their places each after its parts: the order of the lines of a cost. */
function readUnits(): { nodes: Node[]; lines: number[] } {
  const nodes: Node[] = [];
  const lines: number[] = [];
  const add = (unit: Unit, whole: number | undefined): Node => {
    const at = nodes.length;
    const parts: Node[] = [];
    const node = { unit, parts, whole };
    nodes.push(node);
    for (const part of UNITS) if (unitTerms(part).of === unit) parts.push(add(part, at));
    lines.push(at);
    return node;
  };
  for (const unit of UNITS) if (unitTerms(unit).of === undefined) add(unit, undefined);
  return { nodes, lines };
}
const { nodes: NODES, lines: LINES } = readUnits();

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
 *
 *     const price = { input: 5 * dollarOf("input"), output: 25 * dollarOf("output") }; // dollars for a million tokens
 *     costOf({ input: 1000, output: 200 }, price); // 10000, which is one cent
 */
export function costOf(usage: Counts, price: Price): number {
  const rates = ratesOf(price);
  const rests = restsOf(usage);
  let total = 0n;
  for (let i = 0; i < rests.length; i++) total += (rests[i] as bigint) * (rates[i] as bigint);
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
  const rates = ratesOf(price);
  const rests = restsOf(usage);
  return LINES.filter((at) => (rests[at] as bigint) > 0n).map((at) => ({
    unit: (NODES[at] as Node).unit,
    count: Number(rests[at]) / Number(SCALE),
    rate: Number(rates[at]),
  }));
}

const ratesByPrice = new WeakMap<Price, readonly bigint[]>();

/** The rates of all units, in the order of `NODES`. Computed once for each price. */
function ratesOf(price: Price): readonly bigint[] {
  const before = ratesByPrice.get(price);
  if (before) return before;
  const rates: bigint[] = [];
  for (const { unit, whole } of NODES) {
    const rate = price[unit];
    if (rate !== undefined) rates.push(toRate(rate, unit));
    else rates.push(whole === undefined ? 0n : (rates[whole] as bigint));
  }
  ratesByPrice.set(price, rates);
  return rates;
}

/** The counts of all units without their parts, in thousandths and in the order of `NODES`. */
function restsOf(usage: Counts): bigint[] {
  const rests: bigint[] = [];
  for (const node of NODES) {
    const count = countOf(usage, node);
    const { whole } = node;
    if (whole === undefined) rests.push(count);
    else {
      // Upstreams report parts that overlap (cached audio) or exceed their whole: no unit is charged twice.
      const rest = rests[whole] as bigint;
      let share = count;
      if (share > rest) share = rest;
      rests[whole] = rest - share;
      rests.push(share);
    }
  }
  return rests;
}

/** The count of a unit in thousandths; if it was not reported, the sum of its parts. */
function countOf(usage: Counts, { unit, parts }: Node): bigint {
  const count = usage[unit];
  if (count === undefined) {
    let sum = 0n;
    for (const part of parts) sum += countOf(usage, part);
    return sum;
  }
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
