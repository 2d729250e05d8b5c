import { usd } from "../format.ts";

/** A price and the requests that it counts for. */
export interface PriceRow {
  when: string;
  prices: Record<string, number>;
  text: string;
}

const PER: Record<string, string> = {
  perImage: "per image",
  perSecond: "per second",
  perRequest: "per request",
};

/** Each unit in words; those without a word of their own are counted by the million, which is said once. */
function sayPrices(prices: Record<string, number>): string {
  const all = Object.entries(prices);
  const single = all.flatMap(([unit, amount]) => (PER[unit] ? [`${usd(amount)} ${PER[unit]}`] : []));
  const many = all.flatMap(([unit, amount]) => (PER[unit] ? [] : [`${unit} ${usd(amount)}`]));
  return [...single, ...(many.length > 0 ? [`${many.join(", ")} per million`] : [])].join(", ");
}

const numbersOf = (values: object): Record<string, number> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === "number"));

const sayCondition = (when: object): string =>
  Object.entries(when)
    .map(([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
    .join(", ");

/** The rows of a model's price: one, or one for each kind of request, of which the first that fits counts. */
export function pricesOf(pricing: object | undefined): PriceRow[] {
  if (!pricing) return [];
  const { tiers = [], ...whole } = pricing as { tiers?: ({ when?: object } & object)[] };
  const rows = tiers.length > 0 ? tiers : [whole as { when?: object }];
  return rows.map(({ when, ...rest }) => {
    const prices = numbersOf(rest);
    return {
      when: when ? sayCondition(when) : tiers.length > 1 ? "otherwise" : "all",
      prices,
      text: sayPrices(prices),
    };
  });
}
