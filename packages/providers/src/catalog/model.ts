import type { Capabilities } from "@manifold-gateway/core/capability";
import type { ImageMeter, SoundMeter, Tier, VideoMeter } from "@manifold-gateway/core/operations";
import type { Price } from "@manifold-gateway/core/pricing";
import type { Wire } from "../adapters/adapter.ts";

interface CommonFacts {
  /** The display name. */
  label: string;
  /** The wire of its requests. */
  wire: Wire;
}

/** A model of rankings or moderation. */
export interface JudgingModel extends CommonFacts {
  /** The preset of its vendor. */
  provider: string;
  /** The inputs besides text. */
  takes: readonly "image"[];
  /** Empty: it is free. */
  price: Price;
}

interface ModelFacts extends CommonFacts {
  /** The inputs besides text. */
  takes: readonly ("image" | "video" | "audio")[];
  capabilities: Capabilities;
  /** The prices: the first tier whose conditions hold applies. Empty: unknown. */
  tiers: readonly Tier<Price>[];
  /** Its vendor has switched it off or announced the date. */
  retired?: true;
}

/** A model that reads aloud or transcribes while its caller waits. */
export interface SoundModel extends ModelFacts {
  /** The preset that serves it on these terms: others use such names for models of their own. */
  provider: string;
  /** The provider's name for it. Default: that of the row. */
  name?: string;
  meter?: SoundMeter;
}

export type ImageModel = ModelFacts & { meter: ImageMeter };
export type VideoModel = ModelFacts & { meter: VideoMeter };
