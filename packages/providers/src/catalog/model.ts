import type { Capabilities } from "@manifold-gateway/core/capability";
import type { ImageMeter, MediaPrice, Tier, VideoMeter } from "@manifold-gateway/core/operations";
import type { Wire } from "../adapters/adapter.ts";

interface Known {
  /** The name for people. */
  label: string;
  /** The wire it is reached by. */
  wire: Wire;
  /** The inputs beside text. */
  takes: readonly ("image" | "video" | "audio")[];
  capabilities: Capabilities;
  /** The prices; the first tier whose conditions hold. Empty: not known. */
  tiers: readonly Tier<MediaPrice>[];
  /** Its vendor has switched it off, or says when. */
  retired?: true;
}
export type ImageModel = Known & { meter: ImageMeter };
export type VideoModel = Known & { meter: VideoMeter };
