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

/** What each line comes to in US dollars, exactly, all with as many decimals as the longest needs. */
export function lineAmounts(lines: readonly PriceLine[]): string[] {
  const texts = lines.map((line) => {
    const digits = product(line)
      .toString()
      .padStart(DECIMALS + 1, "0");
    return { whole: digits.slice(0, -DECIMALS), rest: digits.slice(-DECIMALS) };
  });
  const most = Math.max(6, ...texts.map(({ rest }) => DECIMALS - trailingZeros(rest)));
  return texts.map(({ whole, rest }) => `$${whole}.${rest.slice(0, most)}`);
}

/** The decimals of a dollar in the scale of products. */
const DECIMALS = 15;

function trailingZeros(text: string): number {
  let at = text.length;
  while (at > 0 && text[at - 1] === "0") at -= 1;
  return text.length - at;
}

/** The lines added up and rounded up once, in micro-USD: what was charged. */
export const total = (lines: readonly PriceLine[]): number =>
  Number((lines.reduce((sum, line) => sum + product(line), 0n) + MICRO - 1n) / MICRO);
