import { digest } from "../content/digest.ts";
import { samples, TYPES } from "../samples/index.ts";
import type { Outcome } from "../script/outcomes.ts";
import { type Output, truncateIfBroken } from "./media-jobs.ts";

const SPEED = 15;

/** Seconds that a text takes to say: fifteen characters a second, half a second at least. */
export function secondsOf(text: string, speed = 1): number {
  return Math.max(0.5, Math.round(([...text].length / SPEED / speed) * 100) / 100);
}

export interface Sound {
  output: Output & { seconds: number };
  bytes(): Buffer;
}

type Format = "mp3" | "wav" | "pcm" | "opus" | "aac" | "flac";

/** A sound in a format: silence, or where the format keeps what it is given, a tone that comes from the seed. */
export function soundOf(
  format: Format,
  requested: number,
  rate: number,
  seed: string,
  outcome: Outcome,
): Sound {
  const seconds = outcome.seconds ?? requested;
  const pitch = 80 + (Number.parseInt(digest(seed).slice(0, 2), 16) % 120);
  return {
    output: { type: TYPES[format]!, seconds, downloads: 0 },
    bytes: () => truncateIfBroken(samples[format](seconds, rate, pitch), outcome),
  };
}

/** Bytes in so many parts, each of which can be read on its own. */
export function cutBytes(bytes: Buffer, count: number): Buffer[] {
  const length = Math.max(1, Math.ceil(bytes.length / count));
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += length) parts.push(bytes.subarray(at, at + length));
  return parts;
}
