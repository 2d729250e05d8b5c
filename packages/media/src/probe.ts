import { pdf } from "./document.ts";
import type { Format } from "./format.ts";
import { bmp } from "./image/bmp.ts";
import { gif } from "./image/gif.ts";
import { heif } from "./image/heif.ts";
import { jpeg } from "./image/jpeg.ts";
import { png } from "./image/png.ts";
import { tiff } from "./image/tiff.ts";
import { webp } from "./image/webp.ts";
import { matroska } from "./movie/matroska.ts";
import { movie } from "./movie/movie.ts";
import { ProbeError, truncated, unsupported } from "./probe-error.ts";
import { type Reader, readerOf } from "./reader.ts";
import { adts } from "./sound/adts.ts";
import { flac } from "./sound/flac.ts";
import { mp3 } from "./sound/mp3.ts";
import { ogg } from "./sound/ogg.ts";
import { wav } from "./sound/wav.ts";
import type { Probe, ProbeFailure } from "./types.ts";
import { Pages, STEPS, View } from "./view.ts";

/** The first that knows a file's beginning reads it, so the more particular stand first. */
const formats: Format[] = [
  png,
  jpeg,
  gif,
  webp,
  bmp,
  tiff,
  wav,
  heif,
  movie,
  pdf,
  ogg,
  matroska,
  flac,
  adts,
  mp3,
];

/** The limit on the work that one file may cause. */
export interface ProbeOptions {
  /** The number of fields and pages that may be read before a file counts as unreadable; 4 million by default. */
  steps?: number;
}

function read(file: View): Probe {
  if (file.length === 0) throw truncated("it is empty");
  const format = formats.find((one) => one.is(file));
  if (!format) throw unsupported("its contents are no image, video or sound of a kind that is read here");
  return { ...format.read(file), size: file.length };
}

/**
 * Finds the format, size and length of a file from its bytes alone. Pure: it reads headers and tables, decodes
 * nothing, and ends within its steps whatever the bytes are. Throws only what the reader throws.
 */
export function probe(
  source: Uint8Array | Reader,
  { steps = STEPS }: ProbeOptions = {},
): Probe | ProbeFailure {
  const reader = source instanceof Uint8Array ? readerOf(source) : source;
  try {
    return read(new View(new Pages(reader, steps)));
  } catch (error) {
    if (error instanceof ProbeError) return { kind: "failure", code: error.code, message: error.message };
    throw error;
  }
}
