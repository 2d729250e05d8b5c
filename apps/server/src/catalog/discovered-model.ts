import type { Model } from "@manifold-gateway/gateway";
import { type ListedModel, type Provider, presets } from "@manifold-gateway/providers";
import { toPrice } from "../config/build.ts";
import { listedModel } from "./public-list.ts";

/** Checks whether a provider is the operator's own server, which bills nothing. */
export const isLocal = ({ id }: Pick<Provider, "id">): boolean => presets[id]?.kind === "server";

/** Converts a model that an activated provider lists to the catalog's form; undefined if it cannot be sold. */
export const toModel = (provider: Provider, listed: ListedModel): Model | undefined =>
  isLocal(provider) ? localModel(provider, listed) : vendorModel(provider, listed.name);

/** A local server's model: free, with the abilities that the server lists. */
function localModel(provider: Provider, listed: ListedModel): Model {
  const { name, input = ["text"], output = ["text"], contextWindow, quantization, isLoaded } = listed;
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
        ...entryOf(provider, name),
        price: {},
        ...(contextWindow !== undefined && { capabilities: { text: { contextWindow } } }),
      },
    ],
  };
}

/** A vendor's model, with the price and the abilities of the public lists; undefined without a price. */
function vendorModel(provider: Provider, name: string): Model | undefined {
  const listed = listedModel({ name }, provider, new Date());
  // The list names models whose prices it does not know: a missing price does not mean that a model is free.
  const isPriced = listed && (Object.keys(listed.price).length > 0 || name.endsWith(":free"));
  if (!isPriced) return undefined;
  return {
    id: name,
    inputModalities: listed.input ?? ["text"],
    outputModalities: listed.output ?? ["text"],
    isActive: true,
    revision: 1,
    entries: [
      {
        ...entryOf(provider, name),
        // An entry has one price for prompts of any length: the highest, so that none is sold below its cost.
        price: toPrice(listed.highest),
        capabilities: { text: { ...listed.text } },
      },
    ],
  };
}

const entryOf = ({ id }: Provider, name: string) => ({ provider: id, name, priority: 1, isActive: true });
