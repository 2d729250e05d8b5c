import type { Facts, Tier } from "@manifold-gateway/core/operations";
import { type PriceRow, pricesOf, sayPrices, sayRanges } from "./prices.ts";

/** A model as lists have it. */
export interface Priced {
  pricing?: object;
  capabilities?: object;
  outputModalities: readonly string[];
}

interface Area {
  params?: Record<string, { default?: unknown } | null>;
}

/** The capabilities of a model by what it makes, where that is called otherwise. */
const AREAS: Record<string, string> = { audio: "speech" };
/** Facts of media requests that have no files and leave out all they may. */
const BARE: Facts = {
  ...{ generateAudio: false, references: 0 },
  ...{ imageInput: false, videoInput: false, audioInput: false },
};

/** The facts that prices may depend on, of a request that leaves all parameters to their defaults. */
export function usualFacts({ capabilities = {}, outputModalities: [made = "text"] }: Priced): Facts {
  const area = (capabilities as Record<string, Area | undefined>)[AREAS[made] ?? made];
  const usual = Object.fromEntries(
    Object.entries(area?.params ?? {}).flatMap(([name, rule]) =>
      rule?.default === undefined ? [] : [[name, rule.default]],
    ),
  ) as Facts;
  const [, width, height] = /^(\d+)x(\d+)$/.exec(String(usual.size)) ?? [];
  const pixels = Number(width) * Number(height);
  return { ...BARE, ...usual, ...(pixels > 0 && { pixels }) };
}

/** Checks a condition as the service does, whose own check would load its schemas into the page. */
const holds = (condition: NonNullable<Tier<unknown>["when"]>, facts: Facts): boolean =>
  Object.entries(condition).every(([name, wanted]) => {
    const fact = facts[name];
    if (fact === undefined) return false;
    if (typeof wanted !== "object") return fact === wanted;
    if (Array.isArray(wanted)) return wanted.includes(fact);
    const { above = Number.NEGATIVE_INFINITY, upTo = Number.POSITIVE_INFINITY } = wanted as {
      above?: number;
      upTo?: number;
    };
    return typeof fact === "number" && fact > above && fact <= upTo;
  });

/** The price of a request that leaves all parameters to their defaults; none where no price is known to fit it. */
export function usualPrice(model: Priced): PriceRow["prices"] | undefined {
  const facts = usualFacts(model);
  const row = pricesOf(model.pricing).find(({ condition = {} }) => holds(condition, facts));
  const prices = row?.prices ?? pricesOf({ ...model.pricing, tiers: [] })[0]?.prices ?? {};
  return Object.keys(prices).length > 0 ? prices : undefined;
}

/** A model's price in a line: where it depends on the request its range, and what a request has by default. */
export function sayPrice(model: Priced): string | undefined {
  const rows = pricesOf(model.pricing);
  if (rows.length < 2) return rows[0]?.text;
  const usual = usualPrice(model);
  const preset = usual ? `${sayPrices(usual)} by default` : "which depends on the request";
  return `${sayRanges(rows.map(({ prices }) => prices))}; ${preset}`;
}
