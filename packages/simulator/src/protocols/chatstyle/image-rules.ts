import type { Rule } from "../../check/rule.ts";
import { sizeOf } from "../../media/picture.ts";
import type { MediaCall } from "../protocol.ts";

export interface Options {
  model: string;
  prompt: string;
  n?: number;
  size?: string;
  quality?: "auto" | "low" | "medium" | "high" | "xhigh" | "max";
  output_format?: "png" | "jpeg" | "webp";
  output_compression?: number;
  background?: "auto" | "opaque" | "transparent";
  stream?: boolean;
  partial_images?: number;
}

const FIXED = ["1024x1024", "1536x1024", "1024x1536", "auto"];

/** The first generation has fixed sizes; the second has none, and no transparency. */
const isFirst = (model: string): boolean => /-1(\.5)?(-mini)?$/.test(model);
const isOpaque = (model: string): boolean => /-2$/.test(model);
const hasMore = (model: string): boolean => /-2\.5/.test(model);

function badSize({ model, size = "auto" }: Options): string | undefined {
  if (size === "auto") return undefined;
  if (isFirst(model))
    return FIXED.includes(size)
      ? undefined
      : `Invalid value: '${size}'. Supported values are: ${FIXED.map((one) => `'${one}'`).join(", ")}.`;
  const [width, height] = sizeOf(size) ?? [];
  if (!width || !height) return `Invalid size '${size}'. Expected 'auto' or a size such as '1024x1024'.`;
  if (width % 16 !== 0 || height % 16 !== 0)
    return `Invalid size '${size}'. Width and height must both be divisible by 16.`;
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  if (long > 3840) return `Invalid size '${size}'. The longest edge must be at most 3840 pixels.`;
  if (long > short * 3) return `Invalid size '${size}'. The ratio of the edges must be at most 3:1.`;
  const pixels = width * height;
  if (pixels < 655_360 || pixels > 8_294_400)
    return `Invalid size '${size}'. The number of pixels must be between 655360 and 8294400.`;
  return undefined;
}

export const optionRules: Rule<Options, MediaCall>[] = [
  { field: "size", code: "invalid_value", broken: badSize, message: "" },
  {
    field: "quality",
    code: "invalid_value",
    broken: ({ model, quality = "auto" }) =>
      ["xhigh", "max"].includes(quality) &&
      !hasMore(model) &&
      `Invalid value: '${quality}'. Supported values are: 'low', 'medium', 'high', and 'auto'.`,
    message: "",
  },
  {
    field: "background",
    code: "invalid_value",
    broken: ({ model, background }) => background === "transparent" && isOpaque(model),
    message: "Transparent background is not supported for this model.",
  },
  {
    field: "background",
    code: "invalid_value",
    broken: ({ background, output_format }) => background === "transparent" && output_format === "jpeg",
    message: "Transparent background is not supported for JPEG output. Use 'png' or 'webp'.",
  },
  {
    field: "output_compression",
    code: "invalid_value",
    broken: ({ output_compression = 100, output_format = "png" }) =>
      output_compression < 100 && output_format === "png",
    message: "Compression less than 100 is not supported for PNG output format.",
  },
  {
    field: "partial_images",
    code: "invalid_value",
    broken: ({ partial_images = 0, stream }) => partial_images > 0 && !stream,
    message: "'partial_images' is only supported when 'stream' is true.",
  },
];

const TOKENS = { low: 272, medium: 1056, high: 4160, auto: 1056, xhigh: 6240, max: 8320 };

/** Output tokens of one picture: so many at a million pixels. */
export function costOf({ quality = "auto" }: Options, [width, height]: readonly [number, number]): number {
  return Math.ceil((TOKENS[quality] * width * height) / (1024 * 1024));
}
