import { isObject, type JsonObject } from "@manifold/core";
import { type Price, toUsd } from "@manifold/store";
import { type Catalog, defaultEntry, type Model } from "./catalog.ts";
import { Refusal } from "./http/refusal.ts";

/** A model of the native interface. */
export function toModel(model: Model): JsonObject {
  const entry = defaultEntry(model);
  return {
    modelId: model.id,
    ...(model.name !== undefined && { name: model.name }),
    providerIds: [...new Set(model.entries.filter((e) => e.isActive).map((e) => e.provider))],
    inputModalities: model.inputModalities,
    outputModalities: model.outputModalities,
    isActive: model.isActive,
    revision: model.revision,
    ...(entry?.capabilities && { capabilities: entry.capabilities }),
    ...(model.createdAt !== undefined && { createdAt: model.createdAt }),
    ...(model.updatedAt !== undefined && { updatedAt: model.updatedAt }),
  };
}

/** A model as the compatibility surfaces list it: the same facts, in the shape that all three share. */
export function toModelEntry(model: Model): JsonObject {
  const entry = defaultEntry(model);
  const pricing = entry?.price && { [pricingName(model)]: toPricing(entry.price) };
  return {
    id: model.id,
    ...(model.name !== undefined && { name: model.name }),
    inputModalities: model.inputModalities,
    outputModalities: model.outputModalities,
    ...(entry && { capabilitiesProviderId: entry.provider }),
    ...(entry?.capabilities && { capabilities: entry.capabilities }),
    ...pricing,
  };
}

/** The name of the pricing object, by what the model gives. */
function pricingName(model: Model): string {
  const names: Record<string, string> = {
    embedding: "embeddingPricing",
    image: "imagePricing",
    video: "videoPricing",
  };
  const [first] = model.outputModalities.filter((modality) => names[modality]);
  return first && !model.outputModalities.includes("text") ? (names[first] as string) : "chatPricing";
}

/** Prices in USD per million units, as people write them. */
const toPricing = (price: Price): JsonObject => ({
  currency: "USD",
  unit: "1M",
  ...Object.fromEntries(
    Object.entries(price).flatMap(([unit, micro]) =>
      typeof micro === "number" ? [[unit, toUsd(micro)]] : [],
    ),
  ),
});

/** The active models that a filter keeps, in catalog order. */
export const activeModels = (catalog: Catalog, keep: (model: Model) => boolean = () => true): Model[] =>
  catalog.list().filter((model) => model.isActive && defaultEntry(model) !== undefined && keep(model));

/** One active model, or a 404. */
export function findModel(catalog: Catalog, id: string): Model {
  const model = catalog.get(id);
  if (!model?.isActive || !defaultEntry(model))
    throw new Refusal(404, `There is no active model '${id.slice(0, 100)}'.`, {
      param: "model",
      code: "model_not_found",
    });
  return model;
}

/** The most output tokens of a model, where its capabilities say so. */
export function maxOutputOf(model: Model): number | undefined {
  const entry = defaultEntry(model);
  const text = entry?.capabilities?.text;
  const limit = isObject(text) ? text.maxOutputTokens : undefined;
  return entry?.traits?.maxOutput ?? (typeof limit === "number" ? limit : undefined);
}
