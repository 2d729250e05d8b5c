import type { Facts, MediaCounts } from "../counts.ts";
import type { VideoAsk, VideoResult } from "./ir.ts";

/** Output pixels by resolution and ratio. */
export type FrameTable = Readonly<
  Record<string, Readonly<Record<string, readonly [width: number, height: number]>>>
>;

/** What a model does where an ask says nothing. */
export interface VideoDefaults {
  /** Seconds. */
  duration: number;
  resolution: string;
  /** Absent: the model chooses, and the largest frame is reckoned with. */
  ratio?: string;
  generateAudio?: boolean;
}

/** How the work of a video model is counted. */
export type VideoMeter = { defaults: VideoDefaults } & (
  | { by: "seconds" }
  | { by: "videos" }
  | {
      by: "tokens";
      frames: FrameTable;
      /** Frames in a second. */
      rate: number;
      /** Where videos go in: the most seconds they have together, for lengths that are not known. */
      longestInput?: number;
      /** Where videos go in: the least that is billed, as a multiple of the seconds that come out. */
      floor?: number;
    }
);

/** The ask with everything said that its price depends on, so that what is made is what was reckoned with. */
export function withDefaults(ask: VideoAsk, { defaults }: VideoMeter): VideoAsk {
  const { ratio: _, ...rest } = defaults;
  return { ...rest, ...ask };
}

/** What is known of an ask beyond its words. */
export interface VideoKnown {
  /** Seconds that the input videos play, where they have been probed. */
  inputSeconds?: number;
}

/** What the price of a video ask may depend on. */
export function videoFacts(ask: VideoAsk, { defaults }: VideoMeter): Facts {
  const has = (type: string): boolean => ask.parts.some((part) => part.type === type);
  return {
    resolution: ask.resolution ?? defaults.resolution,
    ratio: ask.ratio ?? defaults.ratio,
    duration: ask.duration ?? defaults.duration,
    generateAudio: ask.generateAudio ?? defaults.generateAudio ?? false,
    imageInput: has("image"),
    videoInput: has("video"),
    audioInput: has("audio"),
  };
}

/**
 * The most that an ask can come to: what is held before it is submitted. A clip has one frame more than its seconds
 * hold, and a token stands for 1024 pixels of a frame.
 */
export function estimateVideo(ask: VideoAsk, meter: VideoMeter, known: VideoKnown = {}): MediaCounts {
  const seconds = ask.duration ?? meter.defaults.duration;
  if (meter.by === "videos") return { requests: 1, seconds };
  if (meter.by === "seconds") return { seconds };
  const { frames, rate, floor = 0 } = meter;
  const videos = ask.parts.some((part) => part.type === "video");
  const input = videos ? (known.inputSeconds ?? meter.longestInput ?? 0) : 0;
  const billed = videos ? Math.max(input + seconds, Math.ceil(round(seconds * floor))) : seconds;
  const pixels = pixelsOfFrame(
    frames,
    ask.resolution ?? meter.defaults.resolution,
    ask.ratio ?? meter.defaults.ratio,
  );
  return { output: Math.floor((pixels * (rate * billed + 1)) / 1024), seconds };
}

/** A third of five times three is five, whatever floating point makes of it. */
const round = (value: number): number => Math.round(value * 1e6) / 1e6;

/** The pixels of a frame; of the largest one where the ratio, or the resolution, is not among those known. */
export function pixelsOfFrame(frames: FrameTable, resolution: string, ratio = ""): number {
  const row = frames[resolution];
  const sizes = row?.[ratio]
    ? [row[ratio]]
    : (row ? [row] : Object.values(frames)).flatMap((each) => Object.values(each));
  return Math.max(0, ...sizes.map(([width, height]) => width * height));
}

/** What was made, in the units of prices. */
export function countsOfVideo({ usage = {} }: VideoResult): MediaCounts {
  const { completionTokens: output, durationSeconds: seconds } = usage;
  return { requests: 1, ...(output !== undefined && { output }), ...(seconds !== undefined && { seconds }) };
}
