import type { MediaPrice, Tier } from "@manifold/core";
import { each, type VideoModel } from "../model.ts";
import { type Area, frame, images, isReference, never, oneOf, whole, yes } from "./rules.ts";

const EIGHT = [{ field: "duration", is: [8] }];

const area: Area = {
  params: {
    duration: { type: "range", min: 4, max: 8, steps: [4, 6, 8], default: 8, unit: "seconds" },
    resolution: oneOf(["720p", "1080p", "4k"], "720p"),
    ratio: oneOf(["16:9", "9:16"], "16:9"),
    generateAudio: yes,
    seed: whole(0, 2 ** 32 - 1),
  },
  unsupported: { watermark: never, cameraFixed: never, maxTokens: never },
  inputs: {
    image: {
      ...images({ ...frame, referenceImage: 3 }, ["base64"]),
      mediaTypes: ["image/png", "image/jpeg", "image/webp"],
    },
  },
  rules: [
    { type: "never", if: { field: "generateAudio", is: [false] } },
    { type: "requires", if: { field: "resolution", is: ["1080p", "4k"] }, need: EIGHT },
    { type: "requires", if: isReference, need: EIGHT },
  ],
};

const price = (usd: number): MediaPrice => ({ seconds: each(usd) });
const model = (label: string, tiers: Tier<MediaPrice>[]): VideoModel => ({
  label,
  wire: "genstyle",
  takes: ["image"],
  capabilities: { strictParams: true, video: area },
  meter: { by: "seconds", longest: 8 },
  tiers,
});

/** Video models of the generate-content wire, by the provider's name for them. */
export const genstyleVideos: Readonly<Record<string, VideoModel>> = {
  "veo-3.1-generate-preview": model("Veo 3.1", [
    { when: { resolution: "4k" }, price: price(0.6) },
    { price: price(0.4) },
  ]),
  "veo-3.1-fast-generate-preview": model("Veo 3.1 Fast", [
    { when: { resolution: "720p" }, price: price(0.1) },
    { price: price(0.3) },
  ]),
  "veo-3.1-lite-generate-preview": model("Veo 3.1 Lite", [
    { when: { resolution: "720p" }, price: price(0.05) },
    { price: price(0.08) },
  ]),
};
