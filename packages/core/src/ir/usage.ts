/**
 * Token counts of one generation: cumulative, and inclusive. `input` counts every prompt token, cached or not;
 * `output` counts every generated one, reasoning or not. The others are parts of those two.
 */
export interface Usage {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
  /** The part of `cacheWrite` that is kept for an hour. */
  cacheWriteLong?: number;
  reasoning?: number;
  audioInput?: number;
  audioOutput?: number;
  imageInput?: number;
  imageOutput?: number;
  /** US dollars that upstream says it charged: kept beside our own cost, never what a caller is charged or told. */
  upstreamUsd?: number;
}

const LIMIT = 100_000_000;

/** A count that can be billed: a whole number of tokens in a believable range, or nothing. */
export function toCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= LIMIT
    ? value
    : undefined;
}
