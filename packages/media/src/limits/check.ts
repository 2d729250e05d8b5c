import type { Probe, ProbeFailure } from "../types.ts";
import {
  type AssetType,
  assetLimits,
  type Bounds,
  embedLimits,
  type MediaLimits,
  recordingLimits,
  TOLERANCE,
} from "./limits.ts";

/** What is wrong with a file; stable, for programs. */
export type MediaIssueCode =
  | "unsupported_format"
  | "unreadable_file"
  | "timeout"
  | "file_too_large"
  | "aspect_ratio_out_of_range"
  | "edge_out_of_range"
  | "pixels_out_of_range"
  | "duration_out_of_range"
  | "fps_out_of_range";

/** A limit that a file does not keep: what was measured and what is allowed are in the message. */
export interface MediaIssue {
  /** The kind of fault. */
  code: MediaIssueCode;
  /** The sentence for people, with what was measured and what is allowed. */
  message: string;
}

/** A measured value as a whole number over a whole number, so that bounds are met exactly or not at all. */
interface Measure {
  limit: Exclude<keyof MediaLimits, "mediaTypes">;
  code: MediaIssueCode;
  value: number;
  over: number;
  /** Added to both bounds, in their unit. */
  tolerance?: number;
  /** The name of the value's owner, and the value as text. */
  name: string;
  text: string;
  unit: string;
}

/** Bounds have at most this many parts to one: ratios have tenths, tolerance has tenths, frame rates are whole. */
const PARTS = 10;

function within({ value, over, tolerance = 0 }: Measure, { min, max, exclusive }: Bounds): boolean {
  const scaled = value * PARTS;
  const lowest = min === undefined ? undefined : Math.round((min - tolerance) * PARTS) * over;
  const highest = max === undefined ? undefined : Math.round((max + tolerance) * PARTS) * over;
  if (exclusive)
    return !(lowest !== undefined && scaled <= lowest) && !(highest !== undefined && scaled >= highest);
  return !(lowest !== undefined && scaled < lowest) && !(highest !== undefined && scaled > highest);
}

function allowed({ min, max, exclusive }: Bounds, unit: string): string {
  const [least, most] = exclusive ? ["more than", "less than"] : ["at least", "at most"];
  const bounds = [
    ...(min === undefined ? [] : [`${least} ${min}${unit}`]),
    ...(max === undefined ? [] : [`${most} ${max}${unit}`]),
  ];
  return bounds.join(" and ");
}

/** Three decimals, as much as is compared. */
const decimals = (value: number): string => String(Math.round(value * 1000) / 1000);

function measuresOf(probe: Probe): Measure[] {
  const measures: Measure[] = [
    {
      limit: "size",
      code: "file_too_large",
      value: probe.size,
      over: 1,
      name: "file size",
      text: String(probe.size),
      unit: " bytes",
    },
  ];
  if (probe.kind === "image" || probe.kind === "video") {
    const { width, height } = probe;
    const edge = (name: string, value: number): Measure => ({
      limit: "edge",
      code: "edge_out_of_range",
      value,
      over: 1,
      name,
      text: String(value),
      unit: " px",
    });
    measures.push(
      {
        limit: "ratio",
        code: "aspect_ratio_out_of_range",
        value: width,
        over: height,
        name: "aspect ratio (width / height)",
        text: `${decimals(width / height)} (${width}×${height})`,
        unit: "",
      },
      edge("width", width),
      edge("height", height),
      {
        limit: "pixels",
        code: "pixels_out_of_range",
        value: width * height,
        over: 1,
        name: "number of pixels",
        text: `${width * height} (${width}×${height})`,
        unit: "",
      },
    );
  }
  if (probe.kind === "video" || probe.kind === "audio")
    measures.push({
      limit: "seconds",
      code: "duration_out_of_range",
      value: Math.round(probe.seconds * 1000),
      over: 1000,
      tolerance: TOLERANCE,
      name: "duration",
      text: decimals(probe.seconds),
      unit: " s",
    });
  if (probe.kind === "video")
    measures.push({
      limit: "fps",
      code: "fps_out_of_range",
      // Two decimals: 24 fps survive the rounding of clocks, 23.976 do not pass for 24.
      value: Math.round(probe.fps * 100),
      over: 100,
      name: "frame rate",
      text: String(Math.round(probe.fps * 100) / 100),
      unit: " fps",
    });
  return measures;
}

/** A list in words. */
const orList = (values: readonly string[]): string =>
  values.length < 2 ? values.join() : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;

/**
 * Compares a file with limits; empty when it keeps them all. `subject` names in messages what the file is to be, such
 * as "a Video asset". A file of another format gets that one issue: its measures are not compared.
 */
export function checkMedia(probe: Probe | ProbeFailure, limits: MediaLimits, subject: string): MediaIssue[] {
  if (probe.kind === "failure") {
    const code = probe.code === "truncated" ? "unreadable_file" : probe.code;
    const formats = code === "unsupported_format" ? ` For ${subject} use ${orList(limits.mediaTypes)}.` : "";
    return [{ code, message: probe.message + formats }];
  }
  if (!limits.mediaTypes.includes(probe.mediaType)) {
    const message = `The file is ${probe.mediaType}; ${subject} must be ${orList(limits.mediaTypes)}.`;
    return [{ code: "unsupported_format", message }];
  }
  return measuresOf(probe).flatMap((measure) => {
    const bounds = limits[measure.limit];
    if (!bounds || within(measure, bounds)) return [];
    const { code, name, text, unit } = measure;
    const message = `The ${name} is ${text}${unit}; ${subject} must have ${allowed(bounds, unit)}.`;
    return [{ code, message }];
  });
}

/** Compares an identity asset's file with the limits of its type; empty when the asset may become active. */
export function checkAsset(probe: Probe | ProbeFailure, assetType: AssetType): MediaIssue[] {
  return checkMedia(
    probe,
    assetLimits[assetType],
    `${assetType === "Video" ? "a" : "an"} ${assetType} asset`,
  );
}

/** Finds what keeps a file from being transcribed. */
export function checkRecording(probe: Probe | ProbeFailure): MediaIssue[] {
  if (probe.kind === "video" && probe.isSilent)
    return [{ code: "unsupported_format", message: `The ${probe.mediaType} file has no sound.` }];
  return checkMedia(probe, recordingLimits, "a recording");
}

/** Finds what keeps a piece of inline media from being embedded. */
export function checkEmbed(probe: Probe | ProbeFailure, kind: keyof typeof embedLimits): MediaIssue[] {
  return checkMedia(probe, embedLimits[kind], `${kind === "audio" ? "an" : "a"} ${kind} part`);
}
