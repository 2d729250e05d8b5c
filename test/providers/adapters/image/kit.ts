import type { ImageAsk, ImageInput, PartSource } from "@manifold-gateway/core/operations";

export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const inline: PartSource = { type: "base64", mediaType: "image/png", data: PNG };
export const address: PartSource = { type: "url", url: "https://example.com/a.png" };
export const stored: PartSource = { type: "asset", id: "a1", kind: "output" };

/** An ask, with pictures where sources are given. */
export const askOf = (more: Partial<ImageAsk> = {}, ...sources: PartSource[]): ImageAsk => ({
  model: "mine",
  prompt: "a lighthouse",
  images: sources.map((source, index): ImageInput => ({ source, at: `/content/${index + 1}` })),
  ...more,
});

/** What every wire would be asked for by this ask. */
export const everything: Partial<ImageAsk> = {
  size: "2048x2048",
  numberOfImages: 3,
  guidanceScale: 4,
  outputFormat: "png",
  quality: "high",
  background: "transparent",
  outputCompression: 50,
  responseFormat: "b64_json",
  watermark: true,
  optimizePromptOptions: { mode: "fast" },
  maxTokens: 100,
  style: "vivid",
  extra: { protocol: "chatstyle", fields: { moderation: "low" } },
};
