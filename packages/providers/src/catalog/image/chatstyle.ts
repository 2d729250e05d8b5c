import type { Capabilities, ImageMeter } from "@manifold/core";
import { type ImageModel, MB, perMillion } from "../model.ts";

type Area = NonNullable<Capabilities["image"]>;

const params: NonNullable<Area["params"]> = {
  numberOfImages: { type: "int", min: 1, max: 10, default: 1 },
  outputFormat: { type: "enum", values: ["png", "jpeg", "webp"], default: "png" },
  outputCompression: { type: "int", min: 0, max: 100 },
  quality: { type: "enum", values: ["auto", "low", "medium", "high"] },
};
const opaque = ["auto", "opaque"];
const anyGround = [...opaque, "transparent"];

/** What all models of this family have in common. */
const family: Area = {
  unsupported: { responseFormat: "drop", watermark: "drop", maxTokens: "drop" },
  inputs: { image: { max: 16, mediaTypes: ["image/png", "image/jpeg", "image/webp"], maxBytes: 50 * MB } },
};
const rules: NonNullable<Area["rules"]> = [
  {
    type: "requires",
    if: { field: "outputCompression" },
    need: [{ field: "outputFormat", is: ["jpeg", "webp"] }],
  },
  {
    type: "requires",
    if: { field: "background", is: ["transparent"] },
    need: [{ field: "outputFormat", is: ["png", "webp"] }],
  },
];
const listed = { type: "enum" as const, values: ["auto", "1024x1024", "1536x1024", "1024x1536"] };
const free: typeof rules = [
  ...rules,
  {
    type: "size",
    field: "size",
    words: ["auto"],
    shape: { multipleOf: 16, edge: { max: 3840 }, pixels: { min: 655_360, max: 8_294_400 }, ratio: 3 },
  },
];

const withGrounds = (values: string[]): Area["params"] => ({
  ...params,
  background: { type: "enum", values },
});
const ofList: Capabilities = {
  strictParams: true,
  image: { ...family, params: { ...withGrounds(anyGround), size: listed }, rules },
};
const ofAnySize = (grounds: string[]): Capabilities => ({
  strictParams: true,
  image: { ...family, params: withGrounds(grounds), rules: free },
});

/** Tokens of a picture of 1024×1024 by quality; other sizes by their pixels. A patch of 32×32 counts one on the way in. */
const meter: ImageMeter = {
  by: "tokens",
  output: { low: 272, medium: 1056, high: 4160 },
  scaled: true,
  pixels: 1536 * 1024,
  perInput: 1536,
};

const model = (
  label: string,
  capabilities: Capabilities,
  text: number,
  image: number,
  made: number,
): ImageModel => ({
  label,
  wire: "chatstyle",
  takes: ["image"],
  capabilities,
  meter,
  tiers: [
    {
      price: {
        input: perMillion(text),
        imageInput: perMillion(image),
        output: perMillion(made),
        imageOutput: perMillion(made),
      },
    },
  ],
});

/** Image models beside chat completions, by the provider's name for them. */
export const chatstyleImages: Readonly<Record<string, ImageModel>> = {
  "gpt-image-1": { ...model("GPT Image 1", ofList, 5, 10, 40), retired: true },
  "gpt-image-1-mini": model("GPT Image 1 mini", ofList, 2, 2.5, 8),
  "gpt-image-1.5": model("GPT Image 1.5", ofList, 5, 8, 32),
  "gpt-image-2": model("GPT Image 2", ofAnySize(opaque), 5, 8, 30),
  "gpt-image-2.5-flare": model("GPT Image 2.5 Flare", ofAnySize(anyGround), 5, 8, 30),
  "gpt-image-2.5-sunburst": model("GPT Image 2.5 Sunburst", ofAnySize(anyGround), 5, 8, 30),
};
