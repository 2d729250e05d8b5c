import type { Capabilities } from "@manifold/core";
import type { ImageModel } from "../model.ts";

const capabilities = (words: string[], references: number): Capabilities => ({
  strictParams: true,
  image: {
    params: { numberOfImages: { type: "int", min: 1, max: 10, default: 1 } },
    unsupported: {
      quality: "drop",
      style: "drop",
      responseFormat: "drop",
      watermark: "drop",
      maxTokens: "drop",
    },
    inputs: {
      image: {
        max: references,
        mediaTypes: ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"],
        maxBytes: 7_000_000,
      },
    },
    // A size is rounded to the nearest ratio and tier; the adapter refuses what comes near none.
    rules: [
      {
        type: "size",
        field: "size",
        words,
        shape: { pixels: { min: 520_000, max: 33_000_000 }, ratio: 2.68 },
      },
    ],
  },
});

const model = (label: string, words: string[], references: number, tokens: number): ImageModel => ({
  label,
  wire: "genstyle",
  takes: ["image"],
  capabilities: capabilities(words, references),
  meter: { by: "tokens", output: tokens, perInput: 1120 },
  tiers: [],
});

/** Models that generate pictures as content, by the provider's name for them. */
export const genstyleImages: Readonly<Record<string, ImageModel>> = {
  "gemini-3-pro-image": model("Gemini 3 Pro Image", ["1K", "2K", "4K"], 14, 2000),
  "gemini-3.1-flash-image": model("Gemini 3.1 Flash Image", ["1K", "2K", "4K"], 14, 2520),
};
