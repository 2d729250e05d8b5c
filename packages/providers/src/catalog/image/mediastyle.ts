import type { Capabilities, MediaPrice, Tier } from "@manifold/core";
import { each, type ImageModel, MB } from "../model.ts";

type Area = NonNullable<Capabilities["image"]>;
type Rules = NonNullable<Area["rules"]>;
type Params = NonNullable<Area["params"]>;

const oneOf = (...values: string[]): Params[string] => ({ type: "enum", values });
const upTo = (max: number): Params[string] => ({ type: "int", min: 1, max, default: 1 });

const common: Params = {
  responseFormat: oneOf("url", "b64_json"),
  watermark: { type: "bool", default: false },
};
const MODE = "optimizePromptOptions.mode";
const types = ["jpeg", "png", "webp", "bmp", "tiff", "gif", "heic", "heif"].map((type) => `image/${type}`);

const references = (max: number, min = 0): Area["inputs"] => ({
  image: {
    ...(min > 0 && { min }),
    max,
    mediaTypes: types,
    maxBytes: 30 * MB,
    shape: { edge: { min: 15 }, pixels: { max: 36_000_000 }, ratio: 16 },
  },
});
const size = (words: string[], min: number, max: number): Rules[number] => ({
  type: "size",
  field: "size",
  words,
  shape: { pixels: { min, max }, ratio: 16 },
});
/** Pictures that go in and pictures that come out. */
const group: Rules[number] = {
  type: "sum",
  of: [{ field: "numberOfImages" }, { input: "image", count: { min: 0 } }],
  max: 15,
};

const capabilities = (area: Area): Capabilities => ({
  strictParams: true,
  image: {
    ...area,
    params: { ...common, ...area.params },
    unsupported: { quality: "drop", style: "drop", maxTokens: "drop" },
  },
});
const model = (label: string, area: Area, tiers: ImageModel["tiers"]): ImageModel => ({
  label,
  wire: "mediastyle",
  takes: area.inputs?.image ? ["image"] : [],
  capabilities: capabilities(area),
  meter: { by: "images" },
  tiers,
});
const flat = (usd: number): Tier<MediaPrice>[] => [{ price: { images: each(usd) } }];

/** Above so many pixels a picture of the largest model costs twice as much. */
const LARGE = 2_360_000;

/** Image models of the media wire, by the provider's name for them. */
export const mediastyleImages: Readonly<Record<string, ImageModel>> = {
  "dola-seedream-5-0-pro-260628": model(
    "Seedream 5.0 Pro",
    {
      params: {
        numberOfImages: upTo(1),
        outputFormat: oneOf("png", "jpeg"),
        background: oneOf("transparent"),
        [MODE]: oneOf("standard", "fast"),
      },
      inputs: references(10),
      rules: [
        size(["1K", "1.5K", "2K"], 921_600, 4_624_220),
        { type: "requires", if: { field: MODE, is: ["fast"] }, need: [{ input: "image" }] },
        { type: "requires", if: { field: "background" }, need: [{ field: "outputFormat", is: ["png"] }] },
        {
          type: "requires",
          if: { field: "background" },
          need: [{ input: "image", count: { min: 1, max: 1 } }],
        },
      ],
    },
    [{ when: { pixels: { upTo: LARGE } }, price: { images: each(0.045) } }, ...flat(0.09)],
  ),
  "dola-seedream-5-0-flash-260915": model(
    "Seedream 5.0 Flash",
    {
      params: { numberOfImages: upTo(1), outputFormat: oneOf("png", "jpeg"), [MODE]: oneOf("standard") },
      inputs: references(10),
      rules: [size(["1K", "1.5K", "2K"], 921_600, 4_624_220)],
    },
    flat(0.018),
  ),
  "seedream-5-0-260128": model(
    "Seedream 5.0 Lite",
    {
      params: { numberOfImages: upTo(15), outputFormat: oneOf("png", "jpeg"), [MODE]: oneOf("standard") },
      inputs: references(14),
      rules: [size(["2K", "3K", "4K"], 3_686_400, 16_777_216), group],
    },
    flat(0.035),
  ),
  "seedream-4-5-251128": model(
    "Seedream 4.5",
    {
      params: { numberOfImages: upTo(15), outputFormat: oneOf("jpeg"), [MODE]: oneOf("standard") },
      inputs: references(14),
      rules: [size(["2K", "4K"], 3_686_400, 16_777_216), group],
    },
    flat(0.04),
  ),
  "seedream-4-0-250828": model(
    "Seedream 4.0",
    {
      params: { numberOfImages: upTo(15), outputFormat: oneOf("jpeg"), [MODE]: oneOf("standard", "fast") },
      inputs: references(14),
      rules: [size(["1K", "2K", "4K"], 921_600, 16_777_216), group],
    },
    flat(0.03),
  ),
  "seedream-3-0-t2i-250415": model(
    "Seedream 3.0",
    {
      params: {
        numberOfImages: upTo(1),
        outputFormat: oneOf("jpeg"),
        guidanceScale: { type: "range", min: 1, max: 10, default: 2.5 },
      },
      inputs: {},
      rules: [{ type: "size", field: "size", shape: { edge: { min: 512, max: 2048 } } }],
    },
    flat(0.03),
  ),
  "seededit-3-0-i2i-250628": model(
    "SeedEdit 3.0",
    {
      params: {
        numberOfImages: upTo(1),
        outputFormat: oneOf("jpeg"),
        guidanceScale: { type: "range", min: 1, max: 10, default: 2.5 },
        size: { type: "enum", values: ["adaptive"], default: "adaptive" },
      },
      inputs: references(1, 1),
    },
    flat(0.03),
  ),
};
