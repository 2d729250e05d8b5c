import type { Provider } from "@manifold/providers";
import { dollarOf, type Price } from "@manifold/store";
import type { Entry, Model } from "../catalog.ts";
import { quote, Refusal } from "../http/refusal.ts";
import type { Services } from "../services.ts";
import { entryId, type Skipped, toSkipped } from "./candidate.ts";
import type { Preferences } from "./preferences.ts";
import type { Routing } from "./routing.ts";

interface Roads extends Pick<Services, "providers"> {
  routing: Pick<Routing, "health">;
}

/** An entry that nothing stands in the way of yet. */
export interface Open {
  id: string;
  entry: Entry;
  provider: Provider;
}

/** What stands in the way of an entry, before anyone looks at what it would be asked for. */
export function screen(
  { providers, routing: { health } }: Roads,
  account: string,
  { only, ignore, order, fallbacks, maxPrice }: Preferences,
  model: Model,
  entry: Entry,
): Open | Skipped {
  const id = entryId(model, entry);
  const named = { id, entry };
  if (!model.isActive || !entry.isActive) return toSkipped(named, "inactive");
  const provider = providers.get(entry.provider);
  if (!provider) return toSkipped(named, "unknown_provider");
  if (only && !only.includes(provider.id)) return toSkipped(named, "not_chosen");
  if (ignore?.includes(provider.id)) return toSkipped(named, "ignored");
  if (order && !fallbacks && !order.includes(provider.id)) return toSkipped(named, "no_fallback");
  const dear = maxPrice && tooExpensive(maxPrice, entry);
  if (dear !== undefined) return toSkipped(named, "too_expensive", dear);
  if (health.of(id, account)?.circuit === "open") return toSkipped(named, "circuit_open");
  return { id, entry, provider };
}

/** The refusal of a request whose own preferences leave nobody to ask. */
export function nobodyLeft(asked: string, skipped: readonly Skipped[]): Refusal | undefined {
  const preferred = ["not_chosen", "ignored", "no_fallback", "too_expensive"];
  if (!skipped.some(({ why }) => preferred.includes(why))) return undefined;
  const why = skipped.map(({ provider, why, detail }) => `${provider}: ${detail ?? why}`).join("; ");
  const text = `provider: no provider that is left serves ${quote(asked)} (${why}).`;
  return new Refusal("no_provider", text, { param: "provider" });
}

/** The units that a caller can bound the price of, by the caller's word for them. */
const capped = {
  prompt: "input",
  completion: "output",
  audio: "audioInput",
  request: "requests",
  image: "images",
} as const;

/** Of an entry with tiers, each counts: which of them will hold is not known yet. */
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
