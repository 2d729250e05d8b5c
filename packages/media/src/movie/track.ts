import { box, boxAt, boxes, flagsOf, versionOf } from "../boxes.ts";
import { unreadable } from "../probe-error.ts";
import type { View } from "../view.ts";
import { type Edit, readEdits } from "./edits.ts";
import { checkSampleLocations, countSamples, sumTimes } from "./tables.ts";

/** A track of pictures or sound. */
export interface Track {
  id: number;
  kind: "video" | "audio";
  enabled: boolean;
  /** Pixels as coded; 0 for sound. */
  width: number;
  height: number;
  /** Ticks a second. */
  timescale: number;
  samples: number;
  /** Adds up the time of the samples. */
  ticks: number;
  edits: Edit[];
}

const KINDS: Record<string, Track["kind"] | undefined> = { vide: "video", soun: "audio" };

/** Ticks a second, of a movie header or a media header: the times before it became wider in version 1. */
export function timescaleOf(header: View): number {
  const timescale = header.u32(versionOf(header) === 1 ? 20 : 12);
  if (timescale === 0) throw unreadable("its clock has no ticks");
  return timescale;
}

/** The picture size that all descriptions of the samples agree on. */
function sizeOf(descriptions: View): { width: number; height: number } {
  let size: { width: number; height: number } | undefined;
  for (const { body } of boxes(descriptions.slice(8))) {
    const dimensions = { width: body.u16(24), height: body.u16(26) };
    size ??= dimensions;
    if (dimensions.width !== size.width || dimensions.height !== size.height)
      throw unreadable("its picture changes its size on the way");
  }
  if (!size || size.width === 0 || size.height === 0) throw unreadable("its picture track has no size");
  return size;
}

/** A track by its box; nothing for subtitles, time codes and the like. */
export function readTrack(track: View, file: View): Track | undefined {
  const media = box(track, "mdia");
  const header = box(track, "tkhd");
  const handler = media && box(media, "hdlr");
  const clock = media && box(media, "mdhd");
  const table = media && boxAt(media, "minf", "stbl");
  const kind = handler && KINDS[handler.text(8, 4)];
  if (!kind) return undefined;
  const descriptions = table && box(table, "stsd");
  if (!header || !clock || !descriptions) throw unreadable("a track in it lacks its description");
  const samples = countSamples(table);
  const times = sumTimes(table);
  if (times.samples !== samples)
    throw unreadable(`a track in it has ${samples} samples and times for ${times.samples}`);
  if (samples > 0) checkSampleLocations(table, file, kind === "video");
  return {
    id: header.u32(versionOf(header) === 1 ? 20 : 12),
    kind,
    enabled: (flagsOf(header) & 1) === 1,
    ...(kind === "video" ? sizeOf(descriptions) : { width: 0, height: 0 }),
    timescale: timescaleOf(clock),
    samples,
    ticks: times.ticks,
    edits: readEdits(track),
  };
}

/** The length of a track: of its edits where it has some, none longer than the track itself. */
export function secondsOf({ ticks, timescale, edits }: Track, movieTimescale: number): number {
  const length = ticks / timescale;
  if (edits.length === 0) return length;
  return edits.reduce((sum, edit) => {
    const segment = edit.ticks / movieTimescale;
    if (edit.from === undefined) return sum + segment;
    const left = length - edit.from / timescale;
    // Players differ in what they make of it, and some ignore the edits then.
    if (left < 0) throw unreadable("a track in it has an edit that begins after its end");
    // A fragmented file does not know its length when it writes its edits, and writes 0 for "the rest".
    return sum + (segment === 0 ? left : Math.min(segment, left));
  }, 0);
}
