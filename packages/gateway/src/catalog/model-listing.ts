import { outputModality } from "@manifold-gateway/core/capability";
import { isObject, type JsonObject } from "@manifold-gateway/core/codec";
import { dollarOf, type Price, UNITS, unitTerms } from "@manifold-gateway/store";
import { Refusal } from "../http/refusal.ts";
import type { Catalog, Entry, Model } from "../ports/catalog.ts";
import { underAlias, underAllNames } from "./aliases.ts";
import { defaultEntry } from "./catalog.ts";

/** Converts a model to the format of the native interface. */
export function toModel(model: Model): JsonObject {
  const entry = defaultEntry(model);
  const pricing = entry && pricingOf(entry);
  return {
    modelId: model.id,
    ...otherNames(model),
    ...(model.name !== undefined && { name: model.name }),
    providerIds: [...new Set(model.entries.filter((e) => e.isActive).map((e) => e.provider))],
    inputModalities: model.inputModalities,
    outputModalities: model.outputModalities,
    isActive: model.isActive,
    ...served(model),
    revision: model.revision,
    ...(entry?.capabilities && { capabilities: entry.capabilities }),
    ...(pricing && { pricing }),
    ...(model.createdAt !== undefined && { createdAt: model.createdAt }),
    ...(model.updatedAt !== undefined && { updatedAt: model.updatedAt }),
  };
}

/** Converts a model to the format that all compatibility surfaces share. */
export function toModelEntry(model: Model): JsonObject {
  const entry = defaultEntry(model);
  const pricing = entry && pricingOf(entry);
  return {
    id: model.id,
    ...otherNames(model),
    ...(model.name !== undefined && { name: model.name }),
    inputModalities: model.inputModalities,
    outputModalities: model.outputModalities,
    ...served(model),
    ...(entry && { capabilitiesProviderId: entry.provider }),
    ...(entry?.capabilities && { capabilities: entry.capabilities }),
    ...(pricing && { [pricingName(model)]: pricing }),
  };
}

/** The model's aliases. */
const otherNames = ({ aliases = [], aliasOf }: Model): JsonObject => ({
  ...(aliases.length > 0 && { aliases: [...aliases] }),
  ...(aliasOf !== undefined && { aliasOf }),
});

/** How the model's server describes serving it. */
const served = ({ quantization, isLoaded }: Model): JsonObject => ({
  ...(quantization !== undefined && { quantization }),
  ...(isLoaded !== undefined && { isLoaded }),
});

const MODALITIES: readonly string[] = Object.values(outputModality);

/** The name of the pricing object of models with each output modality: `imagePricing`. */
export const pricingNames: Readonly<Record<string, string>> = Object.fromEntries(
  MODALITIES.map((modality) => [modality, modality === "text" ? "chatPricing" : `${modality}Pricing`]),
);

/** The name of the pricing object, which depends on the model's output. */
function pricingName({ outputModalities }: Model): string {
  const first = outputModalities.includes("text")
    ? "text"
    : outputModalities.find((modality) => MODALITIES.includes(modality));
  return pricingNames[first ?? "text"] as string;
}

/** The prices of an entry: its price, and those of its tiers, of which the first that fits applies. */
export function pricingOf({ price, tiers = [] }: Entry): JsonObject | undefined {
  if (!price && tiers.length === 0) return undefined;
  const tierPrices = tiers.map(({ when, price }) => ({
    ...(when && Object.keys(when).length > 0 && { when: when as JsonObject }),
    ...inUsd(price),
  }));
  return {
    currency: "USD",
    unit: "1M",
    ...inUsd(price ?? {}),
    ...(tierPrices.length > 0 && { tiers: tierPrices }),
  };
}

/** Prices in US dollars, by the labels of their units. */
const inUsd = (price: Price): JsonObject =>
  Object.fromEntries(
    UNITS.flatMap((unit) => {
      const micro = price[unit];
      return micro === undefined ? [] : [[unitTerms(unit).label ?? unit, micro / dollarOf(unit)]];
    }),
  );

/** The listed, active models that match a filter, in catalog order, each under all of its names. */
export const activeModels = (catalog: Catalog, keep: (model: Model) => boolean = () => true): Model[] =>
  catalog
    .list()
    .filter(
      (model) =>
        model.isActive && model.isListed !== false && defaultEntry(model) !== undefined && keep(model),
    )
    .flatMap(underAllNames);

/** Finds an active model under the given name. Throws a 404 if there is none. */
export function findModel(catalog: Catalog, id: string): Model {
  const model = catalog.get(id);
  if (!model?.isActive || !defaultEntry(model))
    throw new Refusal("model_not_found", `There is no active model '${id.slice(0, 100)}'.`, {
      status: 404,
      param: "model",
    });
  return model.id === id ? model : underAlias(model, id);
}

/** The most output tokens of a model, if its capabilities state it. */
export function maxOutputOf(model: Model): number | undefined {
  const entry = defaultEntry(model);
  const text = entry?.capabilities?.text;
  const limit = isObject(text) ? text.maxOutputTokens : undefined;
  return entry?.traits?.maxOutput ?? (typeof limit === "number" ? limit : undefined);
}
