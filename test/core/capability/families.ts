import type { Capabilities } from "@manifold-gateway/core/capability";
import { capabilitiesSchema } from "@manifold-gateway/core/configuration";

/** Capabilities of families of models, as a catalog would hold them. */
const MB = 1024 * 1024;
const group = { type: "sum", of: [{ input: "image" }, { field: "numberOfImages" }], max: 15 };
const needsAlpha = {
  type: "requires",
  if: { field: "background", is: ["transparent"] },
  need: [{ field: "outputFormat", is: ["png", "webp"] }],
};
const oneImage = { type: "int", min: 1, max: 1, default: 1 };
const fifteenImages = { type: "int", min: 1, max: 15, default: 1 };
const choice = (...values: (string | number)[]) => ({ type: "enum", values });
const bool = { type: "bool" };
const sources = [
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/bmp",
  "image/tiff",
  "image/gif",
  "image/heic",
];
const references = (max: number) => ({ image: { max, mediaTypes: sources, maxBytes: 30 * MB } });
const tiers = (words: string[], min: number, max: number) => ({
  type: "size",
  field: "size",
  words,
  shape: { pixels: { min, max }, ratio: 16 },
});
const ignored = { maxTokens: "drop", quality: "drop" };
const common = { responseFormat: choice("url", "b64_json"), watermark: { type: "bool", default: false } };

const image = {
  free: {
    params: {
      numberOfImages: { type: "int", min: 1, max: 10, default: 1 },
      outputFormat: { ...choice("png", "jpeg", "webp"), default: "png" },
      quality: choice("auto", "high", "medium", "low"),
      background: choice("auto", "opaque", "transparent"),
      outputCompression: { type: "int", min: 0, max: 100 },
    },
    unsupported: { maxTokens: "drop", responseFormat: "drop" },
    inputs: { image: { max: 16, mediaTypes: ["image/png", "image/jpeg", "image/webp"], maxBytes: 50 * MB } },
    rules: [
      needsAlpha,
      {
        type: "excludes",
        if: { field: "outputCompression" },
        not: [{ field: "outputFormat", is: ["png"] }],
      },
      {
        type: "size",
        field: "size",
        words: ["auto"],
        shape: { multipleOf: 16, ratio: 3, edge: { max: 3840 }, pixels: { min: 655_360, max: 8_294_400 } },
      },
    ],
  },
  pro: {
    params: {
      numberOfImages: oneImage,
      outputFormat: choice("png", "jpeg"),
      background: choice("auto", "opaque", "transparent"),
      "optimizePromptOptions.mode": choice("standard", "fast"),
      ...common,
    },
    unsupported: ignored,
    inputs: references(10),
    rules: [
      needsAlpha,
      {
        type: "requires",
        if: { field: "background", is: ["transparent"] },
        need: [{ input: "image", count: { max: 1 } }],
      },
      tiers(["1K", "1.5K", "2K"], 921_600, 4_624_220),
    ],
  },
  lite: {
    params: {
      numberOfImages: fifteenImages,
      outputFormat: choice("png", "jpeg"),
      "optimizePromptOptions.mode": choice("standard"),
      ...common,
    },
    unsupported: ignored,
    inputs: references(14),
    rules: [group, tiers(["2K", "3K", "4K"], 3_686_400, 16_777_216)],
  },
  four: {
    params: {
      numberOfImages: fifteenImages,
      outputFormat: choice("jpeg"),
      "optimizePromptOptions.mode": choice("standard", "fast"),
      ...common,
    },
    unsupported: ignored,
    inputs: references(14),
    rules: [group, tiers(["1K", "2K", "4K"], 921_600, 16_777_216)],
  },
  three: {
    params: {
      numberOfImages: oneImage,
      guidanceScale: { type: "range", min: 1, max: 10, default: 2.5 },
      outputFormat: choice("jpeg"),
      ...common,
    },
    unsupported: ignored,
    inputs: {},
    rules: [{ type: "size", field: "size", shape: { edge: { min: 512, max: 2048 } } }],
  },
  edit: {
    params: {
      numberOfImages: oneImage,
      guidanceScale: { type: "range", min: 1, max: 10, default: 2.5 },
      outputFormat: choice("jpeg"),
      size: choice("adaptive"),
      ...common,
    },
    unsupported: ignored,
    inputs: { image: { min: 1, max: 1, mediaTypes: sources } },
  },
};

const frames = ["firstFrame", "lastFrame"];
const closing = {
  type: "requires",
  if: { input: "image", roles: ["lastFrame"] },
  need: [{ input: "image", roles: ["firstFrame"] }],
};
const modes = {
  type: "excludes",
  if: { input: "image", roles: frames },
  not: [{ input: "image", roles: ["referenceImage"] }, { input: "video" }, { input: "audio" }],
};
const notAlone = {
  type: "requires",
  if: { input: "audio" },
  need: [{ input: "image" }, { input: "video" }],
};
const one = { max: 1 };
const ratios = ["16:9", "4:3", "1:1", "3:4", "9:16", "21:9"];
const seed = { type: "int", min: -1, max: 4_294_967_295 };
const refused = { maxTokens: "refuse" };
const seconds = (min: number, max: number) => ({
  type: "range",
  min,
  max,
  unit: "seconds",
  steps: steps(min, max),
});
const steps = (min: number, max: number) => Array.from({ length: max - min + 1 }, (_, i) => min + i);
const clip = { seconds: { min: 2, max: 15 }, totalSeconds: 15 };

const twoInputs = {
  image: {
    forms: ["url", "base64", "asset"],
    roles: { firstFrame: one, lastFrame: one, referenceImage: { max: 9 } },
    mediaTypes: sources,
    maxBytes: 30 * MB,
  },
  video: {
    max: 3,
    forms: ["url", "asset"],
    mediaTypes: ["video/mp4", "video/quicktime"],
    maxBytes: 50 * MB,
    ...clip,
  },
  audio: { max: 3, mediaTypes: ["audio/mpeg", "audio/mp3", "audio/wav"], maxBytes: 15 * MB, ...clip },
};
const twoParams = {
  duration: { ...seconds(4, 15), default: 5 },
  ratio: choice(...ratios, "adaptive"),
  generateAudio: { type: "bool", default: true },
  seed,
  watermark: bool,
};
const frameInputs = (roles: object) => ({ image: { forms: ["url", "base64"], roles } });
const oneParams = {
  duration: seconds(2, 12),
  resolution: choice("480p", "720p", "1080p"),
  ratio: choice(...ratios, "adaptive"),
  seed,
  watermark: bool,
  cameraFixed: bool,
};
const adaptive = { type: "requires", if: { field: "ratio", is: ["adaptive"] }, need: [{ input: "image" }] };

const video = {
  base: {
    params: { ...twoParams, resolution: choice("480p", "720p", "1080p", "4k") },
    unsupported: { ...refused, cameraFixed: "refuse" },
    inputs: twoInputs,
    rules: [closing, modes, notAlone],
  },
  fast: {
    params: { ...twoParams, resolution: choice("480p", "720p") },
    unsupported: { ...refused, cameraFixed: "refuse" },
    inputs: twoInputs,
    rules: [closing, modes, notAlone],
  },
  middle: {
    params: { ...oneParams, duration: seconds(4, 12), generateAudio: { type: "bool", default: true } },
    unsupported: refused,
    inputs: frameInputs({ firstFrame: one, lastFrame: one }),
    rules: [closing],
  },
  old: {
    params: oneParams,
    unsupported: refused,
    inputs: frameInputs({ firstFrame: one, lastFrame: one }),
    rules: [closing, adaptive],
  },
  quick: {
    params: oneParams,
    unsupported: refused,
    inputs: frameInputs({ firstFrame: one }),
    rules: [adaptive],
  },
  light: {
    params: oneParams,
    unsupported: refused,
    inputs: frameInputs({ firstFrame: one, lastFrame: one, referenceImage: { max: 4 } }),
    rules: [
      closing,
      modes,
      adaptive,
      {
        type: "excludes",
        if: { field: "cameraFixed", is: [true] },
        not: [{ input: "image", roles: ["referenceImage"] }],
      },
    ],
  },
  eight: {
    params: {
      duration: { ...choice(4, 6, 8), default: 8 },
      resolution: choice("720p", "1080p", "4k"),
      ratio: choice("16:9", "9:16"),
      generateAudio: bool,
      seed,
    },
    unsupported: refused,
    inputs: {
      image: { forms: ["base64"], roles: { firstFrame: one, lastFrame: one, referenceImage: { max: 3 } } },
    },
    rules: [
      closing,
      { type: "never", if: { field: "generateAudio", is: [false] } },
      {
        type: "requires",
        if: { field: "resolution", is: ["1080p", "4k"] },
        need: [{ field: "duration", is: [8] }],
      },
    ],
  },
};

const parsed = <Name extends string>(
  operation: "image" | "video",
  families: Record<Name, object>,
): Record<Name, Capabilities> =>
  Object.fromEntries(
    Object.entries(families).map(([name, area]) => [
      name,
      capabilitiesSchema.parse({ strictParams: true, [operation]: area }),
    ]),
  ) as Record<Name, Capabilities>;

export const imageFamilies = parsed("image", image);
export const videoFamilies = parsed("video", video);
