import type { JsonObject } from "../../json/json.ts";
import type { PartSource } from "../content.ts";

/** What an image is to a video: its first or last frame, or something to look like. */
export const imageRoles = ["firstFrame", "lastFrame", "referenceImage"] as const;
/** One of `imageRoles`. */
export type ImageRole = (typeof imageRoles)[number];

/** An input of a video: text or media. */
export type VideoPart =
  | {
      type: "text";
      /** What should happen. */
      text: string;
      /** JSON pointer into the caller's request: `/content/2`. */
      at: string;
    }
  | {
      type: "image";
      /** What the image is to the video. */
      role: ImageRole;
      /** The caller gave no role, and this is the usual one. */
      roleAssumed?: true;
      /** Where its bytes are. */
      source: PartSource;
      /** JSON pointer into the caller's request: `/content/2`. */
      at: string;
    }
  | {
      type: "video";
      /** Where its bytes are. */
      source: PartSource;
      /** JSON pointer into the caller's request: `/content/2`. */
      at: string;
    }
  | {
      type: "audio";
      /** Where its bytes are. */
      source: PartSource;
      /** JSON pointer into the caller's request: `/content/2`. */
      at: string;
    };

/** The canonical video request. Parameters carry the names that capabilities know them by. */
export interface VideoAsk {
  /** The model, by the caller's name for it. */
  model: string;
  /** In the caller's order, which counts for frames and for references by number. */
  parts: VideoPart[];
  /** Seconds. */
  duration?: number;
  /** `720p`, or another word that the model knows. */
  resolution?: string;
  /** `16:9`, or `adaptive`. */
  ratio?: string;
  /** Whether the video has sound. */
  generateAudio?: boolean;
  /** The same seed and request give similar videos. */
  seed?: number;
  /** Whether the provider adds its mark. */
  watermark?: boolean;
  /** Whether the camera stands still. */
  cameraFixed?: boolean;
  /** The most tokens that the video may have, for models that count them. */
  maxTokens?: number;
}

/** Counts as the provider reported them. */
export interface VideoUsage {
  /** Generated tokens. */
  completionTokens?: number;
  /** Tokens of request and video. */
  totalTokens?: number;
  /** US dollars that the provider says it charged. */
  usdCost?: number;
  /** The length of the video. */
  durationSeconds?: number;
  /** All that the provider said of it. */
  providerUsage?: JsonObject;
}

/** A finished video. */
export interface VideoResult {
  /** The provider's own addresses; absent where its adapter has to open them. They expire. */
  urls: string[];
  /** What was counted, where the provider reported it. */
  usage?: VideoUsage;
  /** Set once it is archived. */
  downloadUrl?: string;
  /** The service's id of the archived video, for later requests. */
  assetId?: string;
}

/** The state of a video. */
export type VideoState = "queued" | "running" | "succeeded" | "failed" | "cancelled";
