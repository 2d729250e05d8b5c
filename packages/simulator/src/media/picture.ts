import { digest } from "../content/digest.ts";
import { colorOf } from "../samples/color.ts";
import { samples } from "../samples/index.ts";
import type { Outcome } from "../script/outcomes.ts";
import { type Output, truncateIfBroken } from "./media-jobs.ts";

export type PictureFormat = "png" | "jpeg" | "webp";

export interface Picture {
  output: Output & { width: number; height: number };
  bytes(): Buffer;
}

/** A picture of the requested size, in a colour that comes from the seed. */
export function pictureOf(
  format: PictureFormat,
  [w, h]: readonly [number, number],
  seed: string,
  outcome: Outcome,
  alpha = 255,
): Picture {
  const [width, height] = outcome.size ?? [w, h];
  const color = colorOf(digest(seed));
  return {
    output: { type: `image/${format}`, width, height, downloads: 0 },
    bytes: () => {
      const whole =
        format === "jpeg" ? samples.jpeg(width, height, color) : samples[format](width, height, color, alpha);
      return truncateIfBroken(whole, outcome);
    },
  };
}

/** `1024x768` as numbers. */
export function sizeOf(text: string): [number, number] | undefined {
  const found = text.match(/^(\d{1,5})x(\d{1,5})$/);
  return found ? [Number(found[1]), Number(found[2])] : undefined;
}

/** The size in a ratio such as `16:9` that has as many pixels as a square of this edge, in steps of 16. */
export function ratedSize(ratio: string, edge: number): [number, number] {
  const [w = 1, h = 1] = ratio.split(":").map(Number);
  const step = (length: number): number => Math.round(length / 16) * 16;
  return [step(edge * Math.sqrt(w / h)), step(edge * Math.sqrt(h / w))];
}
