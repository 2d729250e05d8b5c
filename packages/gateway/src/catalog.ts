import type { Capabilities, Traits } from "@manifold/core";
import type { UpstreamProtocol } from "@manifold/providers";
import type { Price } from "@manifold/store";
import type { MediaTerms } from "./media/terms.ts";

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
  /** What it takes. Absent: unconstrained. */
  capabilities?: Capabilities;
  traits?: Traits;
  /** In micro-USD for a million units; `{}` is free. Absent: the entry cannot be sold. */
  price?: Price;
  /** Factors of its token prices, by the mode that a request asks for: `{ service_tier: { priority: 2 } }`. */
  factors?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** A model as callers know it. */
export interface Model {
  id: string;
  name?: string;
  inputModalities: string[];
  outputModalities: string[];
  isActive: boolean;
  /** The name that answers have which are passed on as they came: the provider's, or the one that was asked for. */
  answerName?: "provider" | "asked";
  /** `false`: it is served, and no list shows it. */
  isListed?: boolean;
  /** How its weights are kept, as its server calls it. */
  quantization?: string;
  /** Its server has it in memory, as far as is known. It comes and goes, and is no change of the model. */
  isLoaded?: boolean;
  revision: number;
  entries: Entry[];
  /** ISO timestamps. */
  createdAt?: string;
  updatedAt?: string;
}

/** All models by id. A request works with the models it found: a change counts for those that come after it. */
export interface Catalog {
  get(id: string): Model | undefined;
  list(): readonly Model[];
  /**
   * Serves these models from now on, and no others. A model that is not as it was gets a higher revision than it
   * had, or the one it brings where that is higher. Gives the ids of what changed, of what is gone as well.
   */
  replace(models: readonly Model[]): string[];
}

/** A catalog of these models. */
export function createCatalog(models: readonly Model[]): Catalog {
  let list = models;
  let byId = new Map(models.map((model) => [model.id, model]));
  return {
    get: (id) => byId.get(id),
    list: () => list,
    replace(next) {
      const before = byId;
      const renewed = next.map((model) => renew(model, before.get(model.id)));
      byId = new Map(renewed.map((model) => [model.id, model]));
      list = renewed;
      const gone = [...before.keys()].filter((id) => !byId.has(id));
      const isNew = ({ id, revision }: Model): boolean => before.get(id)?.revision !== revision;
      return [...renewed.filter(isNew).map(({ id }) => id), ...gone];
    },
  };
}

/** A model that says the same stays the object that it was. */
function renew(model: Model, before: Model | undefined): Model {
  if (!before) return model;
  if (contentOf(model) === contentOf(before) && model.revision <= before.revision)
    return model.isLoaded === before.isLoaded ? before : { ...model, revision: before.revision };
  return { ...model, revision: Math.max(model.revision, before.revision + 1) };
}

function contentOf({ revision: _, createdAt: _c, updatedAt: _u, isLoaded: _l, ...content }: Model): string {
  return JSON.stringify(content, (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** The entry that speaks for a model where there is no request: the one that comes first. */
export const defaultEntry = (model: Model): Entry | undefined =>
  model.entries.filter((entry) => entry.isActive).sort((a, b) => a.priority - b.priority)[0];
