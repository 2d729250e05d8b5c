/**
 * Token counts of one generation: cumulative, and inclusive. `input` counts every prompt token, cached or not;
 * `output` counts every generated one, reasoning or not. The others are parts of those two.
 */
export interface Usage {
  /** Every token of the prompt. */
  input: number;
  /** Every generated token. */
  output: number;
  /** The part of `input` that was read from a cache. */
  cacheRead?: number;
  /** The part of `input` that was written to a cache. */
  cacheWrite?: number;
  /** The part of `cacheWrite` that is kept for an hour. */
  cacheWriteLong?: number;
  /** The part of `output` that the model thought. */
  reasoning?: number;
  /** The part of `input` that stands for sound. */
  audioInput?: number;
  /** The part of `output` that stands for sound. */
  audioOutput?: number;
  /** The part of `input` that stands for images. */
  imageInput?: number;
  /** The part of `output` that stands for images. */
  imageOutput?: number;
  /** US dollars that upstream says it charged: kept beside our own cost, never what a caller is charged or shown. */
  upstreamUsd?: number;
}

/**
 * The contents of an upstream report: counts, or none where one of its figures is no count. A figure read as
 * 0 would not be charged, so one malformed figure makes all of them missing, and the reply is estimated.
 */
export interface Reported {
  /** The counts; absent where one of the figures is malformed. */
  usage?: Usage;
}

const MAX_COUNT = 100_000_000;

/** A count that can be billed: a whole number of tokens in a believable range, or nothing. */
export function toCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_COUNT
    ? value
    : undefined;
}

/** Checks whether each figure that is present is a count. */
export const areCounts = (figures: readonly unknown[]): boolean =>
  figures.every((figure) => toCount(figure ?? 0) !== undefined);
