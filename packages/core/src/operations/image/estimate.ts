import { lookup } from "../../json/json.ts";
import { type FactsOf, hasTokenRate, type MediaCounts, type MediaPrice } from "../counts.ts";
import type { ImageAsk, ImageResult } from "./ir.ts";
import { SIZE } from "./schema.ts";

/**
 * The counting of an image model's work. By tokens, `output` is the tokens of one picture, per quality where they
 * differ: of a picture of 1024×1024 where `scaled`, as it stands otherwise.
 */
export type ImageMeter =
  | { by: "images" }
  | {
      by: "tokens";
      /** Tokens of one picture: one number, or one for each quality. */
      output: number | Readonly<Record<string, number>>;
      /** The tokens grow with the pixels. */
      scaled?: boolean;
      /** The most tokens that one input picture counts. */
      perInput?: number;
      /** The pixels of a picture whose size the ask leaves open. */
      pixels?: number;
    };

/** `[width, height]` of a size in numbers. */
export function pixelsOf(size: string | undefined): [width: number, height: number] | undefined {
  if (size === undefined || !SIZE.test(size)) return undefined;
  const [width = 0, height = 0] = size.split("x").map(Number);
  return [width, height];
}

/** Facts that the price of an image request may depend on. `pixels` is absent where the model chooses the size. */
export function imageFacts(ask: ImageAsk): FactsOf<"image"> {
  const [width = 0, height = 0] = pixelsOf(ask.size) ?? [];
  return {
    size: ask.size,
    quality: ask.quality,
    references: ask.images.length,
    ...(width > 0 && { pixels: width * height }),
  };
}

const SQUARE = 1024 * 1024;

/** The most tokens of one picture among known models, for models whose own are not known. */
const UNKNOWN: ImageMeter = { by: "tokens", output: 4160, scaled: true, perInput: 1536, pixels: 1_572_864 };

/** The meter that counts what a price is for: the model's own, unless that leaves out tokens with a price. */
export const imageMeterFor = (price: MediaPrice, meter: ImageMeter = { by: "images" }): ImageMeter =>
  meter.by === "images" && hasTokenRate(price) ? UNKNOWN : meter;

/** The most that an ask can come to: what is held before it is submitted. */
export function estimateImage(ask: ImageAsk, meter: ImageMeter): MediaCounts {
  const images = ask.numberOfImages ?? 1;
  if (meter.by === "images") return { images };
  const { output: table, perInput = 0 } = meter;
  const each =
    typeof table === "number"
      ? table
      : (lookup(table, ask.quality ?? "") ?? Math.max(...Object.values(table)));
  const [width, height] = pixelsOf(ask.size) ?? [meter.pixels ?? SQUARE, 1];
  const output = images * Math.ceil(meter.scaled ? (each * width * height) / SQUARE : each);
  const imageInput = ask.images.length * perInput;
  // No tokenizer makes more tokens of a text than it has bytes.
  const input = new TextEncoder().encode(ask.prompt).length + imageInput;
  return { input, imageInput, output, imageOutput: output, images };
}

/** The counts of the output, in the units of prices. No picture is made of 0 tokens: such usage is a server's default. */
export function countsOfImage({ usage }: ImageResult): MediaCounts {
  const { inputTokens: input, outputTokens: output, inputImageTokens, outputImageTokens } = usage;
  if (output === 0) return { images: usage.generatedImages };
  return {
    images: usage.generatedImages,
    ...(input !== undefined && { input, imageInput: Math.min(inputImageTokens ?? 0, input) }),
    ...(output !== undefined && { output, imageOutput: Math.min(outputImageTokens ?? output, output) }),
  };
}
