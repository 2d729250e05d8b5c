import { box, boxes, brandsOf } from "../boxes.ts";
import type { Format } from "../format.ts";
import { unreadable, unsupported } from "../probe-error.ts";
import type { View } from "../view.ts";
import { addFragments } from "./fragments.ts";
import { readTrack, secondsOf, type Track, timescaleOf } from "./track.ts";

/** The boxes that a file may begin with; early QuickTime files do not say their brand. */
const STARTS = ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"];

/** An index of this size describes hours; a larger one is not worth its reading. */
const INDEX_BYTES = 8 * 1024 * 1024;

const QUICKTIME = "qt  ";

function mediaTypeOf(brands: string[]): `video/${string}` {
  if (brands.length === 0 || brands.includes(QUICKTIME)) return "video/quicktime";
  // Phones write 3GP files that say they are MP4 as well.
  if (brands.every((brand) => brand.startsWith("3g"))) return "video/3gpp";
  return "video/mp4";
}

/** The index of the file. All boxes are walked, because each has to be complete. */
function indexOf(file: View): View {
  let index: View | undefined;
  for (const { type, body } of boxes(file)) if (type === "moov") index ??= body;
  if (!index) throw unreadable("it is an MP4 or MOV without an index (moov)");
  if (index.length > INDEX_BYTES)
    throw unreadable(`its index has ${index.length} bytes; at most ${INDEX_BYTES} are read`);
  return index;
}

/** The track that players show: the first that is enabled. */
const shownTrack = (tracks: Track[]): Track | undefined => tracks.find(({ enabled }) => enabled) ?? tracks[0];

/** MP4 and QuickTime. Lengths come from the time tables of the samples, never from a duration in a header. */
export const movie: Format = {
  is: (file) => STARTS.some((type) => file.has(type, 4)),
  read(file) {
    const index = indexOf(file);
    const header = box(index, "mvhd");
    if (!header) throw unreadable("its index has no header");
    const tracks: Track[] = [];
    for (const { type, body } of boxes(index)) {
      if (type !== "trak") continue;
      const track = readTrack(body, file);
      if (track) tracks.push(track);
    }
    if (box(index, "mvex")) addFragments(file, index, tracks);
    const seconds = Math.max(0, ...tracks.map((track) => secondsOf(track, timescaleOf(header))));
    const picture = shownTrack(tracks.filter(({ kind }) => kind === "video"));
    if (!picture) {
      if (tracks.length === 0) throw unsupported("it has neither a picture nor a sound track");
      return { kind: "audio", mediaType: "audio/mp4", seconds };
    }
    const { width, height, samples, ticks } = picture;
    if (samples === 0 || ticks === 0) throw unreadable("its picture track has no frames");
    const fps = (samples * picture.timescale) / ticks;
    const isSilent = !tracks.some(({ kind, samples }) => kind === "audio" && samples > 0);
    const mediaType = mediaTypeOf(brandsOf(file));
    return { kind: "video", mediaType, width, height, seconds, fps, ...(isSilent && { isSilent }) };
  },
};
