import { dollarOf, type Price } from "@manifold-gateway/store";
import type { Entry } from "../ports/catalog.ts";
import type { Open, Skip } from "./candidate.ts";
import type { Preferences } from "./preferences.ts";

/** The reason why the caller's preferences exclude an entry; undefined if they do not. */
export function skipBy(
  { only, ignore, order, fallbacks, maxPrice }: Preferences,
  { entry, provider: { id } }: Open,
): Skip | undefined {
  if (only && !only.includes(id)) return { why: "not_chosen" };
  if (ignore?.includes(id)) return { why: "ignored" };
  if (order && !fallbacks && !order.includes(id)) return { why: "no_fallback" };
  const detail = maxPrice && tooExpensive(maxPrice, entry);
  return detail === undefined ? undefined : { why: "too_expensive", detail };
}

/** The units whose price a caller can limit, by their names in `max_price`. */
const capped = {
  prompt: "input",
  completion: "output",
  audio: "audioInput",
  request: "requests",
  image: "images",
} as const;

/** Compares the dearest of an entry's tiers, because which tier will apply is not known yet. */
function tooExpensive(most: NonNullable<Preferences["maxPrice"]>, entry: Entry): string | undefined {
  const prices = [entry.price ?? {}, ...(entry.tiers ?? []).map(({ price }): Price => price)];
  for (const name of Object.keys(capped) as (keyof typeof capped)[]) {
    const unit = capped[name];
    const scale = dollarOf(unit);
    const limit = most[name];
    const rate = Math.max(...prices.map((price) => price[unit] ?? 0));
    if (limit !== undefined && rate > limit * scale)
      return `max_price.${name} is ${limit}, the price is ${rate / scale}`;
  }
  return undefined;
}
