import type { ImageMeter, MediaPrice, Tier, VideoMeter } from "@manifold/core";

/** How the media work of a model entry is counted and what it costs. */
export interface MediaTerms {
  /** Of pictures or of videos. */
  meter?: ImageMeter | VideoMeter;
  /** The first whose conditions hold gives the price; else the entry's own price counts. */
  tiers?: readonly Tier<MediaPrice>[];
}
