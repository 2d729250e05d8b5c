/** One line of a price: what was counted of a unit, at micro-USD per million of it. */
export interface PriceLine {
  unit: string;
  count: number;
  rate: number;
}

/** Counts are exact to the thousandth; products of both stay whole numbers in this scale. */
const SCALE = 1_000n;
const MICRO = SCALE * 1_000_000n;

const product = ({ count, rate }: PriceLine): bigint => BigInt(Math.round(count * 1_000)) * BigInt(rate);

/** What one line comes to in micro-USD, with as many digits as it has. */
export function lineAmount(line: PriceLine): string {
  const whole = product(line) / MICRO;
  const rest = (product(line) % MICRO)
    .toString()
    .padStart(9, "0")
    .replace(/(?<!0)0+$/, "");
  return rest === "" ? `${whole}` : `${whole}.${rest}`;
}

/** The lines added up and rounded up once, in micro-USD: what was charged. */
export const total = (lines: readonly PriceLine[]): number =>
  Number((lines.reduce((sum, line) => sum + product(line), 0n) + MICRO - 1n) / MICRO);
