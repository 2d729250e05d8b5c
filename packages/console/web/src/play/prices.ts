import type { Tier } from "@manifold-gateway/core/operations";
import { usd } from "../format.ts";

type Condition = NonNullable<Tier<unknown>["when"]>;

/** A price and the requests that it counts for. */
export interface PriceRow {
  when: string;
  /** What has to be so for it to count. */
  condition: Condition | undefined;
  prices: Record<string, number>;
  text: string;
}

/** Units that are counted one by one have names such as `perImage`; all others are counted by the million. */
const isSingle = (unit: string): boolean => /^per[A-Z]/.test(unit);

/** A name of the catalog in words: `imageInput` is `image input`, `perImage` is `per image`. */
export const inWords = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Each unit in words; those without a word of their own are counted by the million, which is said once. */
function sayUnits(amounts: readonly (readonly [unit: string, amount: string])[]): string {
  const single = amounts.flatMap(([unit, amount]) => (isSingle(unit) ? [`${amount} ${inWords(unit)}`] : []));
  const many = amounts.flatMap(([unit, amount]) => (isSingle(unit) ? [] : [`${inWords(unit)} ${amount}`]));
  const all = [...single, ...(many.length > 0 ? [`${many.join(", ")} per million`] : [])];
  return all.join(", ") || "free";
}

/** What a price is for, as the head of a column: `Image input, a million`, `Per image`. */
export function sayUnit(unit: string): string {
  const words = inWords(unit);
  const name = `${words[0]?.toUpperCase()}${words.slice(1)}`;
  return isSingle(unit) ? name : `${name}, a million`;
}

export const sayPrices = (prices: Record<string, number>): string =>
  sayUnits(Object.entries(prices).map(([unit, amount]) => [unit, usd(amount)]));

/** The same of several prices: each unit with its least and its highest amount. */
export function sayRanges(all: readonly Record<string, number>[]): string {
  const units = [...new Set(all.flatMap((prices) => Object.keys(prices)))];
  return sayUnits(
    units.map((unit) => {
      const amounts = all.flatMap((prices) => prices[unit] ?? []);
      const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
      return [unit, least === most ? usd(least) : `${usd(least)}–${usd(most).slice(1)}`] as const;
    }),
  );
}

const numbersOf = (values: object): Record<string, number> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === "number"));

const sayCondition = (when: object): string =>
  Object.entries(when)
    .map(([name, value]) => {
      const words = inWords(name);
      if (typeof value === "boolean") return `${value ? "with" : "without"} ${words}`;
      if (Array.isArray(value)) return `${words} ${value.join(" or ")}`;
      if (typeof value !== "object") return `${words} ${value}`;
      const { above, upTo } = value as { above?: number; upTo?: number };
      return [words, above !== undefined && `above ${above}`, upTo !== undefined && `up to ${upTo}`]
        .filter(Boolean)
        .join(" ");
    })
    .join(", ");

/** The rows of a model's price: one, or one for each kind of request, of which the first that fits counts. */
export function pricesOf(pricing: object | undefined): PriceRow[] {
  if (!pricing) return [];
  const { tiers = [], ...whole } = pricing as { tiers?: ({ when?: Condition } & object)[] };
  const rows = tiers.length > 0 ? tiers : [whole as { when?: Condition }];
  return rows.map(({ when, ...rest }) => {
    const prices = numbersOf(rest);
    return {
      condition: when,
      when: when ? sayCondition(when) : tiers.length > 1 ? "otherwise" : "all",
      prices,
      text: sayPrices(prices),
    };
  });
}
