import type { JsonObject, Protocol, Traits } from "@manifold/core";
import type { Provider, UpstreamProtocol } from "@manifold/providers";
import type { Price } from "@manifold/store";
import type { MediaTerms } from "./media/terms.ts";
import { quote, Refusal } from "./http/refusal.ts";

/** One model on one provider. */
export interface Entry extends MediaTerms {
  provider: string;
  /** The provider's own name for the model. */
  name: string;
  /** Lower goes first. */
  priority: number;
  isActive: boolean;
  /** Narrows what the provider speaks, where this model is served on fewer protocols. */
  speaks?: readonly UpstreamProtocol[];
  capabilities?: JsonObject;
  traits?: Traits;
  /** Absent: the entry cannot be sold. */
  price?: Price;
}

/** A model as callers know it. */
export interface Model {
  id: string;
  name?: string;
  inputModalities: string[];
  outputModalities: string[];
  isActive: boolean;
  revision: number;
  entries: Entry[];
  /** ISO timestamps. */
  createdAt?: string;
  updatedAt?: string;
}

/** All models by id. Replaced as a whole when it changes, so that a request sees one state of it. */
export interface Catalog {
  get(id: string): Model | undefined;
  list(): readonly Model[];
}

/** A catalog over a fixed list of models. */
export function createCatalog(models: readonly Model[]): Catalog {
  const byId = new Map(models.map((model) => [model.id, model]));
  return { get: (id) => byId.get(id), list: () => models };
}

/** The entry that serves a request, and the protocol it is spoken to in. */
export interface Resolution {
  model: Model;
  entry: Entry;
  provider: Provider;
  protocol: UpstreamProtocol;
  price: Price;
}

/** The entry that speaks for a model where there is no request: the one that comes first. */
export const defaultEntry = (model: Model): Entry | undefined =>
  model.entries.filter((entry) => entry.isActive).sort((a, b) => a.priority - b.priority)[0];

/**
 * The entry to use for a model: one that speaks the caller's protocol before one that has to be translated for,
 * then by priority. `can` leaves out protocols that do not have the operation. Refuses models that are unknown, inactive, unserved or unpriced.
 */
export function resolve(
  catalog: Catalog,
  providers: ReadonlyMap<string, Provider>,
  id: string,
  protocol: Protocol,
  can: (protocol: UpstreamProtocol) => boolean = () => true,
): Resolution {
  const model = catalog.get(id);
  if (!model)
    throw new Refusal(400, `model: ${quote(id)} is not a model of this service; GET /models lists them.`, {
      param: "model",
      code: "model_not_found",
    });
  const candidates: Omit<Resolution, "price">[] = [];
  for (const entry of model.isActive ? model.entries : []) {
    const provider = providers.get(entry.provider);
    if (!entry.isActive || !provider) continue;
    const spoken = (entry.speaks ?? (Object.keys(provider.speaks) as UpstreamProtocol[])).filter(can);
    const own = spoken.find((candidate) => candidate === protocol) ?? spoken[0];
    if (own) candidates.push({ model, entry, provider, protocol: own });
  }
  candidates.sort(
    (a, b) =>
      Number(b.protocol === protocol) - Number(a.protocol === protocol) ||
      a.entry.priority - b.entry.priority,
  );
  const best = candidates[0];
  if (!best)
    throw new Refusal(400, `model: no active provider serves ${quote(id)}.`, {
      param: "model",
      code: "model_inactive",
    });
  const priced = candidates.find((candidate) => candidate.entry.price !== undefined);
  if (!priced)
    throw new Refusal(400, `model: no price is configured for ${quote(id)}.`, {
      param: "model",
      code: "model_unpriced",
    });
  return { ...priced, price: priced.entry.price as Price };
}
