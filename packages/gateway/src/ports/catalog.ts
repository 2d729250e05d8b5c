import type { Capabilities } from "@manifold-gateway/core/capability";
import type { Traits } from "@manifold-gateway/core/codec";
import type { ImageMeter, MediaPrice, SoundMeter, Tier, VideoMeter } from "@manifold-gateway/core/operations";
import type { UpstreamProtocol } from "@manifold-gateway/providers";
import type { Price } from "@manifold-gateway/store";
import type { CacheRule } from "./answer-cache.ts";

/** One model on one provider. */
export interface Entry extends MediaTerms {
  provider: string;
  /** The provider's name for the model. */
  name: string;
  /** Lower numbers go first. */
  priority: number;
  /**
   * The entry's share of conversations among entries of equal priority. If any of them has a weight, the others count
   * as 1. If none has, the healthier entry goes first, then the cheaper one.
   */
  weight?: number;
  isActive: boolean;
  /** The protocols of this model, if the provider serves it on fewer than all of its own. */
  speaks?: readonly UpstreamProtocol[];
  /** The model's capabilities. Absent: unconstrained. */
  capabilities?: Capabilities;
  traits?: Traits;
  /** Micro-USD for a million units; `{}` is free. Absent: the entry cannot be sold. */
  price?: Price;
  /** Factors of the token prices by the mode that a request selects: `{ service_tier: { priority: 2 } }`. */
  factors?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** False: it is not called by batches of its provider, which costs the usual price. */
  batches?: false;
}

/** A failure after which another model may answer a request. */
export type FallbackCause = "unavailable" | "rate_limited" | "filtered" | "context" | "budget";

/** A model that answers where another one fails. */
export interface Fallback {
  /** The other model's name for callers. */
  model: string;
  on: readonly FallbackCause[];
}

/** A model as callers see it. */
export interface Model {
  /** The name by which callers request it: `openai/gpt-5`. */
  id: string;
  /** A name for people. */
  name?: string;
  /** Further names of the model for callers; `*` matches any text. */
  aliases?: readonly string[];
  /** The id of the model that this name is an alias of. Only in lists. */
  aliasOf?: string;
  /** What requests may contain: `text`, `image`, `audio`, `video`, `file`. */
  inputModalities: string[];
  /** What answers contain: `text`, `image`, `video`, `audio`, `embeddings`. */
  outputModalities: string[];
  /** `false`: it is neither listed nor served. */
  isActive: boolean;
  /** The model's name in answers that are forwarded unchanged: the provider's, or the requested one. */
  answerName?: "provider" | "asked";
  /** `false`: the model is served but not listed. */
  isListed?: boolean;
  /** The number format of the weights, by its server's name. */
  quantization?: string;
  /** The server has the model in memory, as far as is known. This changes often and is not a change of the model. */
  isLoaded?: boolean;
  /** The models that are asked in turn where this one fails. Those of such a model are not followed. */
  fallbacks?: readonly Fallback[];
  /** How long its answers are kept, where neither the request nor its key says it. Absent: they are not. */
  cache?: CacheRule;
  /** Grows with each change of the model. */
  revision: number;
  /** The providers that serve it. */
  entries: Entry[];
  /** ISO timestamps. */
  createdAt?: string;
  /** The time of the last change. */
  updatedAt?: string;
}

/** An entry as a program declares it. Default: active, with priority 1. */
export type EntryOptions = Omit<Entry, "priority" | "isActive"> &
  Partial<Pick<Entry, "priority" | "isActive">>;

/** A model as a program declares it: what is left out is that of an active model which takes and gives text. */
export type ModelOptions = Omit<Partial<Model>, "id" | "entries"> &
  Pick<Model, "id"> & {
    /** The providers that serve it. */
    entries: readonly EntryOptions[];
  };

/** All models by id. A request keeps the models that it found: a change affects later requests only. */
export interface Catalog {
  /** Finds a model by its id or by an alias that matches. */
  get(name: string): Model | undefined;
  /** All models, those that are not listed or not active among them. */
  list(): readonly Model[];
  /**
   * Replaces all models. A changed model gets a higher revision than before, or its own if that is higher. Returns
   * the ids of all that were changed, added or removed.
   */
  replace(models: readonly ModelOptions[]): string[];
}

/** The counting and pricing of a model entry's media. */
export interface MediaTerms {
  /** The meter of images, videos or recordings. */
  meter?: ImageMeter | VideoMeter | SoundMeter;
  /** The first tier whose conditions hold gives the price; without one, the entry's price applies. */
  tiers?: readonly Tier<MediaPrice>[];
}
