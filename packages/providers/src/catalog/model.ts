import type { Capabilities } from "@manifold-gateway/core/capability";
import type { ImageMeter, MediaPrice, Tier, VideoMeter } from "@manifold-gateway/core/operations";
import type { Wire } from "../adapters/adapter.ts";

interface ModelFacts {
  /** The display name. */
  label: string;
  /** The wire of its requests. */
  wire: Wire;
  /** The inputs besides text. */
  takes: readonly ("image" | "video" | "audio")[];
  capabilities: Capabilities;
  /** The prices: the first tier whose conditions hold applies. Empty: unknown. */
  tiers: readonly Tier<MediaPrice>[];
  /** Its vendor has switched it off or announced the date. */
  retired?: true;
}
export type ImageModel = ModelFacts & { meter: ImageMeter };
export type VideoModel = ModelFacts & { meter: VideoMeter };
