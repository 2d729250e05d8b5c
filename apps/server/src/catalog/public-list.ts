import type { Protocol } from "@manifold-gateway/core";
import type { Traits } from "@manifold-gateway/core/codec";
import type { Provider } from "@manifold-gateway/providers";
import { listedAbilities, supportedParameters } from "./public-capabilities.ts";
import { type ListedPrice, listedPrice } from "./public-prices.ts";

/** The public lists' description of one model on one provider. */
export interface Listed extends Pick<ListedPrice, "price" | "highest" | "tiered"> {
  /** Fields of `capabilities.text`. */
  text: { contextWindow?: number; maxOutputTokens?: number; supportedParameters?: string[] };
  /** Input modalities; absent if only the price is listed. */
  input?: string[];
  output?: string[];
  /** Whether the provider no longer serves it. */
  retired: boolean;
}

/** An entry to look up in the lists. Its protocols and traits override the provider's. */
export interface ListedAsk {
  /** The provider's name for the model. */
  name: string;
  protocols?: readonly Protocol[];
  traits?: Traits;
}

/** Looks a model up in the lists; undefined if the price list does not have it. */
export function listedModel(ask: ListedAsk, provider: Provider, at: Date): Listed | undefined {
  const found = listedPrice(ask.name, provider, at);
  if (!found) return undefined;
  const { price, highest, tiered, contextWindow } = found;
  const prices = { price, highest, tiered };
  const abilities = listedAbilities(found.provider, ask.name);
  if (!abilities)
    return { ...prices, text: { ...(contextWindow !== undefined && { contextWindow }) }, retired: false };
  const { input, output, maxOutputTokens, retired } = abilities;
  const protocols = ask.protocols ?? (Object.keys(provider.speaks) as Protocol[]);
  const server = Object.values(provider.speaks).map(({ serverTraits }) => serverTraits);
  const traits: Traits = Object.assign({}, ...server, provider.traits, ask.traits);
  return {
    ...prices,
    text: {
      contextWindow: contextWindow ?? abilities.contextWindow,
      maxOutputTokens,
      supportedParameters: supportedParameters(abilities, protocols, traits),
    },
    input,
    output,
    retired,
  };
}
