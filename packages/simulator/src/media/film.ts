import { digest } from "../content/digest.ts";
import { samples } from "../samples/index.ts";
import type { Outcome } from "../script/outcomes.ts";
import { halved, type Output } from "./media-jobs.ts";

export interface Film {
  output: Output & { width: number; height: number; seconds: number };
  bytes(): Buffer;
}

interface Wanted {
  size: readonly [number, number];
  seconds: number;
  /** 24 a second and one more, unless said. */
  frames?: number;
  audio: boolean;
}

/** A film of the requested size and length; two seeds make two different files. */
export function filmOf({ size, seconds, frames, audio }: Wanted, seed: string, outcome: Outcome): Film {
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
    bytes: () => halved(samples.mp4(video), outcome),
  };
}
