import { lookup } from "../../json/json.ts";
import { type FactsOf, hasTokenRate, type MediaCounts, type MediaPrice } from "../counts.ts";
import type { VideoAsk, VideoResult } from "./ir.ts";

/** Output pixels by resolution and ratio. */
export type FrameTable = Readonly<
  Record<string, Readonly<Record<string, readonly [width: number, height: number]>>>
>;

/** The counting of a video model's work. `longest`: the seconds of a clip whose length an ask leaves open. */
export type VideoMeter = {
  /** Seconds. */
  longest: number;
} & (
  | { by: "seconds" }
  | { by: "videos" }
  | {
      by: "tokens";
      /** Pixels by resolution and ratio. */
      frames: FrameTable;
      /** Frames in a second. */
      rate: number;
      /** Where videos go in: the most seconds they have together, for lengths that are not known. */
      longestInput?: number;
      /** Where videos go in: the least that is billed, as a multiple of the seconds that come out. */
      floor?: number;
    }
);

/** Facts about a request beyond its words. */
export interface VideoKnown {
  /** Seconds that the input videos play, where they have been probed. */
  inputSeconds?: number;
}

/** Facts that the price of a video request may depend on. The ask says its defaults, as `fitAsk` leaves it. */
export function videoFacts(ask: VideoAsk): FactsOf<"video"> {
  const has = (type: string): boolean => ask.parts.some((part) => part.type === type);
  return {
    resolution: ask.resolution,
    ratio: ask.ratio,
    duration: ask.duration,
    generateAudio: ask.generateAudio ?? false,
    imageInput: has("image"),
    videoInput: has("video"),
    audioInput: has("audio"),
  };
}

/** The assumed length of a clip of a model without a meter, in seconds. */
const LONGEST = 15;
/** The largest frames of known models, for models whose own are not known. Most make 1080p at the most by default. */
const FRAMES: FrameTable = {
  "": { "16:9": [1920, 1088] },
  "480p": { "16:9": [864, 496] },
  "720p": { "21:9": [1504, 640] },
  "1080p": { "16:9": [1920, 1088] },
  "4k": { "21:9": [4398, 1888] },
};

/** The meter that counts what a price is for: the model's own, unless that leaves out tokens with a price. */
export function videoMeterFor(
  price: MediaPrice,
  meter: VideoMeter = { by: "seconds", longest: LONGEST },
): VideoMeter {
  if (meter.by === "tokens" || !hasTokenRate(price)) return meter;
  return { by: "tokens", frames: FRAMES, rate: 24, longest: meter.longest, longestInput: LONGEST };
}

/**
 * The most that an ask can come to: what is held before it is submitted. The ask says its defaults, as `fitAsk`
 * leaves it. A clip has one frame more than its seconds
 * hold, and a token stands for 1024 pixels of a frame.
 */
export function estimateVideo(ask: VideoAsk, meter: VideoMeter, facts: VideoKnown = {}): MediaCounts {
  const seconds = ask.duration ?? meter.longest;
  if (meter.by === "videos") return { requests: 1, seconds };
  if (meter.by === "seconds") return { seconds };
  const { frames, rate, floor = 0 } = meter;
  const videos = ask.parts.some((part) => part.type === "video");
  const input = videos ? (facts.inputSeconds ?? meter.longestInput ?? 0) : 0;
  const billed = videos ? Math.max(input + seconds, Math.ceil(round(seconds * floor))) : seconds;
  const pixels = pixelsOfFrame(frames, ask.resolution, ask.ratio);
  return { output: Math.floor((pixels * (rate * billed + 1)) / 1024), seconds };
}

/** A third of five times three is five, whatever floating point makes of it. */
const round = (value: number): number => Math.round(value * 1e6) / 1e6;

/** The pixels of a frame; of the largest one where the ratio, or the resolution, is not among those known. */
export function pixelsOfFrame(frames: FrameTable, resolution = "", ratio = ""): number {
  const row = lookup(frames, resolution);
  const size = row && lookup(row, ratio);
  const sizes = size ? [size] : (row ? [row] : Object.values(frames)).flatMap((each) => Object.values(each));
  return Math.max(0, ...sizes.map(([width, height]) => width * height));
}

/** The counts of the output, in the units of prices. No video has 0 tokens or seconds: such usage is a server's default. */
export function countsOfVideo({ usage = {} }: VideoResult): MediaCounts {
  const { completionTokens: output, durationSeconds: seconds } = usage;
  return { requests: 1, ...(output ? { output } : {}), ...(seconds ? { seconds } : {}) };
}
