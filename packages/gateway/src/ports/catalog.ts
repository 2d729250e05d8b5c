import type { Capabilities } from "@manifold-gateway/core/capability";
import type { Traits } from "@manifold-gateway/core/codec";
import type { ImageMeter, MediaPrice, Tier, VideoMeter } from "@manifold-gateway/core/operations";
import type { UpstreamProtocol } from "@manifold-gateway/providers";
import type { Price } from "@manifold-gateway/store";

/** One model on one provider. */
export interface Entry extends MediaTerms {
  provider: string;
  /** The provider's own name for the model. */
  name: string;
  /** Lower goes first. */
  priority: number;
  /**
   * Its share of the conversations among the entries of its priority, one of which has a weight: those without count
   * as 1. Absent in all of them: the healthier, then the cheaper one goes first.
   */
  weight?: number;
  isActive: boolean;
  /** Narrows what the provider speaks, where this model is served on fewer protocols. */
  speaks?: readonly UpstreamProtocol[];
  /** The model's capabilities. Absent: unconstrained. */
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
  /** Further names that callers may use for it; `*` in one stands for any text. */
  aliases?: readonly string[];
  /** In lists: the id of the model that this name is an alias of. */
  aliasOf?: string;
  inputModalities: string[];
  outputModalities: string[];
  isActive: boolean;
  /** The name in answers that are passed on as they came: the provider's, or the one that was requested. */
  answerName?: "provider" | "asked";
  /** `false`: it is served, and no list shows it. */
  isListed?: boolean;
  /** The number format of its weights, as its server calls it. */
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
  /** The model of this id, or of an alias that the name fits. */
  get(name: string): Model | undefined;
  list(): readonly Model[];
  /**
   * Serves these models from now on, and no others. A model that is not as it was gets a higher revision than it
   * had, or the one it brings where that is higher. Gives the ids of what changed, of what is gone as well.
   */
  replace(models: readonly Model[]): string[];
}

/** The counts and prices of the media work of a model entry. */
export interface MediaTerms {
  /** Of pictures or of videos. */
  meter?: ImageMeter | VideoMeter;
  /** The first whose conditions hold gives the price; else the entry's own price counts. */
  tiers?: readonly Tier<MediaPrice>[];
}
