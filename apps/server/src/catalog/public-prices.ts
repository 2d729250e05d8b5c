import type { Unit } from "@manifold-gateway/store";
import { calcPrice, findProvider, type ModelPrice } from "@pydantic/genai-prices";

/** The public price list's names for our units; other units keep their configured prices. */
const units: Record<string, Unit> = {
  input_mtok: "input",
  cache_read_mtok: "cacheRead",
  cache_write_mtok: "cacheWrite",
  cache_write_1h_mtok: "cacheWriteLong",
  input_audio_mtok: "audioInput",
  input_image_mtok: "imageInput",
  output_mtok: "output",
  output_audio_mtok: "audioOutput",
  output_image_mtok: "imageOutput",
};

/** The public list's price for one model. */
export interface ListedPrice {
  /** The list's name for the provider. */
  provider: string;
  /** US dollars per million tokens, as in a configuration file. */
  price: Partial<Record<Unit, number>>;
  /** The same with the highest price of each unit, whatever the length of the prompt. */
  highest: Partial<Record<Unit, number>>;
  /** The context window in tokens. */
  contextWindow?: number;
  /** Whether the list has higher prices for long prompts, which a configuration cannot express. */
  tiered: boolean;
}

/**
 * The public list's entry for a model, by its native name and the provider's name in the list, id or origin. Undefined
 * if the list has no such model, because a guess would be charged.
 */
export function listedPrice(
  name: string,
  provider: { id: string; origin: string; priceList?: string },
  at: Date,
): ListedPrice | undefined {
  const found =
    lookUp(name, { providerId: provider.priceList ?? provider.id, timestamp: at }) ??
    lookUp(name, { providerApiUrl: provider.origin, timestamp: at });
  if (!found) return undefined;
  const { model, model_price: listed, provider: maker } = found;
  const window = model.context_window;
  return { provider: maker.id, ...toPrice(listed), ...(window !== undefined && { contextWindow: window }) };
}

/** The models that the public list has of a provider, by the list's name for it; undefined for an unknown provider. */
export function listedNames(providerId: string): { provider: string; names: string[] } | undefined {
  try {
    const found = findProvider({ providerId });
    const names = found?.models.filter(({ deprecated }) => !deprecated).map(({ id }) => id);
    return found && names && { provider: found.id, names };
  } catch {
    // The library throws for an unknown provider.
    return undefined;
  }
}

function lookUp(name: string, options: Parameters<typeof calcPrice>[2]): ReturnType<typeof calcPrice> {
  try {
    return calcPrice({ input_tokens: 1, output_tokens: 1 }, name, options);
  } catch {
    // The library throws for an unknown provider.
    return null;
  }
}

function toPrice(listed: ModelPrice): Pick<ListedPrice, "price" | "highest" | "tiered"> {
  const price: ListedPrice["price"] = {};
  const highest: ListedPrice["highest"] = {};
  let tiered = false;
  for (const [key, value] of Object.entries(listed)) {
    const unit = units[key];
    if (!unit || value === undefined) continue;
    const { base, tiers } = typeof value === "number" ? { base: value, tiers: [] } : value;
    price[unit] = base;
    highest[unit] = Math.max(base, ...tiers.map((tier) => tier.price));
    tiered ||= typeof value !== "number";
  }
  return { price, highest, tiered };
}
