import { digest } from "../content/digest.ts";
import { samples } from "../samples/index.ts";
import type { Outcome } from "../script/outcomes.ts";
import { type Output, truncateIfBroken } from "./media-jobs.ts";

export interface Film {
  output: Output & { width: number; height: number; seconds: number };
  bytes(): Buffer;
}

interface FilmSpec {
  size: readonly [number, number];
  seconds: number;
  /** Default: 24 a second, and one more. */
  frames?: number;
  audio: boolean;
}

/** A film of the requested size and length; two seeds make two different files. */
export function filmOf({ size, seconds, frames, audio }: FilmSpec, seed: string, outcome: Outcome): Film {
  const [width, height] = outcome.size ?? size;
  const video = {
    w: width,
    h: height,
    seconds,
    frames: frames ?? seconds * 24 + 1,
    audio,
    mark: digest(seed),
  };
  return {
    output: { type: "video/mp4", width, height, seconds, downloads: 0 },
    bytes: () => truncateIfBroken(samples.mp4(video), outcome),
  };
}
