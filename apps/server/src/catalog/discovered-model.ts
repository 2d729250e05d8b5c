import type { Model } from "@manifold-gateway/gateway";
import { type ListedModel, type Provider, presets } from "@manifold-gateway/providers";
import { definedOnly, toPrice } from "../config/build.ts";
import { listedModel } from "./public-list.ts";

/** Checks whether a provider is the operator's own server, which bills nothing. */
export const isLocal = ({ id }: Pick<Provider, "id">): boolean => presets[id]?.kind === "server";

/** What is known of a model that a provider lists. */
export interface Terms {
  /** Modalities. */
  input: string[];
  output: string[];
  /** US dollars, as in a configuration file. Absent: unknown. */
  price?: Record<string, number>;
  /** Members of `capabilities.text`. */
  text: { contextWindow?: number; maxOutputTokens?: number; supportedParameters?: string[] };
  /** Whether the public lists say that the provider no longer serves it. */
  isRetired: boolean;
}

/** Matches the names of embedding models, for models that no list describes. */
const EMBEDDING = /embed/i;

/** The terms of a model: those of a local server itself, or those of the public lists. */
export function termsOf(provider: Provider, listed: ListedModel): Terms {
  const { name, contextWindow, input = ["text"] } = listed;
  const { output = EMBEDDING.test(name) ? ["embedding"] : ["text"] } = listed;
  if (isLocal(provider))
    return { input, output, price: {}, text: definedOnly({ contextWindow }), isRetired: false };
  const found = listedModel({ name }, provider, new Date());
  if (!found) return { input, output, text: definedOnly({ contextWindow }), isRetired: false };
  // The list names models whose prices it does not know: a missing price does not mean that a model is free.
  const isPriced = Object.keys(found.price).length > 0 || name.endsWith(":free");
  return {
    input: found.input ?? input,
    output: found.output ?? output,
    // An entry has one price for prompts of any length: the highest, so that none is sold below its cost.
    ...(isPriced && { price: found.highest }),
    text: definedOnly(found.text),
    isRetired: found.retired,
  };
}

/** Converts a model that an activated provider lists to the catalog's form; undefined if it has no price. */
export function toModel(provider: Provider, listed: ListedModel): Model | undefined {
  const { name, quantization, isLoaded } = listed;
  const { input, output, price, text } = termsOf(provider, listed);
  if (!price) return undefined;
  const hasLimits = !isLocal(provider) || Object.keys(text).length > 0;
  return {
    id: name,
    inputModalities: input,
    outputModalities: output,
    isActive: true,
    ...(quantization !== undefined && { quantization }),
    ...(isLoaded !== undefined && { isLoaded }),
    revision: 1,
    entries: [
      {
        ...{ provider: provider.id, name, priority: 1, isActive: true },
        price: toPrice(price),
        ...(hasLimits && { capabilities: { text } }),
      },
    ],
  };
}
