import type { JsonObject } from "../../json/json.ts";
import type { PartSource } from "../content.ts";

export const imageRoles = ["firstFrame", "lastFrame", "referenceImage"] as const;
export type ImageRole = (typeof imageRoles)[number];

/**
 * An input of a video: text or media. `at` is a JSON pointer into the
 * caller's request: `/content/2`.
 */
export type VideoPart =
  | { type: "text"; text: string; at: string }
  | { type: "image"; role: ImageRole; roleAssumed?: true; source: PartSource; at: string }
  | { type: "video"; source: PartSource; at: string }
  | { type: "audio"; source: PartSource; at: string };

/** The canonical video request. Parameters carry the names that capabilities know them by. */
export interface VideoAsk {
  model: string;
  /** In the caller's order, which counts for frames and for references by number. */
  parts: VideoPart[];
  /** Seconds. */
  duration?: number;
  resolution?: string;
  /** `16:9`, or `adaptive`. */
  ratio?: string;
  generateAudio?: boolean;
  seed?: number;
  watermark?: boolean;
  cameraFixed?: boolean;
  maxTokens?: number;
}

/** Counts as the provider reported them. */
export interface VideoUsage {
  completionTokens?: number;
  totalTokens?: number;
  usdCost?: number;
  durationSeconds?: number;
  /** All that the provider said of it. */
  providerUsage?: JsonObject;
}

/** A finished video. */
export interface VideoResult {
  /** The provider's own addresses; absent where its adapter has to open them. They expire. */
  urls: string[];
  usage?: VideoUsage;
  /** Set once it is archived. */
  downloadUrl?: string;
  assetId?: string;
}

/** The state of a video. */
export type VideoState = "queued" | "running" | "succeeded" | "failed" | "cancelled";
