import { dollarOf, type Price } from "@manifold-gateway/store";
import type { Entry } from "../ports/catalog.ts";
import type { CircuitBreakers } from "../ports/routing.ts";
import type { Open, Rejection } from "./candidate.ts";
import type { Preferences } from "./preferences.ts";

/** Returns the reason to skip an entry; undefined if it may serve. */
export type Filter = (open: Open) => Rejection | undefined;

/** Keeps entries of the providers that the caller allows. */
export const wanted =
  ({ only, ignore, order, fallbacks }: Preferences): Filter =>
  ({ provider: { id } }) => {
    if (only && !only.includes(id)) return { why: "not_chosen" };
    if (ignore?.includes(id)) return { why: "ignored" };
    if (order && !fallbacks && !order.includes(id)) return { why: "no_fallback" };
    return undefined;
  };

/** Keeps entries that cost no more than the caller's `max_price`. */
export const affordable =
  ({ maxPrice }: Preferences): Filter =>
  ({ entry }) => {
    const detail = maxPrice && tooExpensive(maxPrice, entry);
    return detail === undefined ? undefined : { why: "too_expensive", detail };
  };

/** Keeps entries whose circuit is not open for the account. */
export const closedFor =
  (health: CircuitBreakers, account: string): Filter =>
  ({ id }) =>
    health.of(id, account)?.circuit === "open" ? { why: "circuit_open" } : undefined;

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
