import { box, full } from "./boxes.ts";
import { ascii, type Bytes, be, cat, zeros } from "./bytes.ts";

export interface MovieOptions {
  width: number;
  height: number;
  /** Frames, and ticks that each run of frames takes: [frames, ticks of each]. */
  runs: [samples: number, ticks: number][];
  timescale: number;
  brand: string;
  indexFirst: boolean;
  /** Seconds of sound; none without it. */
  sound: number;
  picture: boolean;
  /** What the headers claim, in seconds, whatever the samples say. */
  claimed: number;
  /** Edits in milliseconds: how long, and from where in the track; -1 shows nothing. */
  edits: [length: number, from: number][];
  fragments: number;
  sampleBytes: number;
}

const MOVIE_SCALE = 1000;
const SOUND_RATE = 48_000;
const SOUND_TICKS = 1024;

interface TrackOptions {
  id: number;
  handler: "vide" | "soun";
  entry: Bytes;
  timescale: number;
  runs: [number, number][];
  /** Where its samples are, in one chunk. */
  at: number;
  bytes: number;
  edits: [number, number][];
  claimed: number;
}

const count = (runs: [number, number][]): number => runs.reduce((sum, [samples]) => sum + samples, 0);

function track({ id, handler, entry, timescale, runs, at, bytes, edits, claimed }: TrackOptions): Bytes {
  const samples = count(runs);
  const header = full("tkhd", 0, 7, zeros(8), be(4, id), zeros(4), be(4, claimed * MOVIE_SCALE), zeros(60));
  const list = edits.map(([length, from]) =>
    cat(be(4, length, from < 0 ? 2 ** 32 - 1 : (from * timescale) / 1000), be(2, 1, 0)),
  );
  const table = box(
    "stbl",
    full("stsd", 0, 0, be(4, 1), entry),
    full("stts", 0, 0, be(4, runs.length, ...runs.flat())),
    full("stsc", 0, 0, ...(samples > 0 ? [be(4, 1, 1, samples, 1)] : [be(4, 0)])),
    full("stsz", 0, 0, be(4, 0, samples), be(4, ...Array.from({ length: samples }, () => bytes))),
    full("stco", 0, 0, ...(samples > 0 ? [be(4, 1, at)] : [be(4, 0)])),
  );
  return box(
    "trak",
    header,
    ...(list.length > 0 ? [box("edts", full("elst", 0, 0, be(4, list.length), ...list))] : []),
    box(
      "mdia",
      full("mdhd", 0, 0, zeros(8), be(4, timescale, claimed * timescale), zeros(4)),
      full("hdlr", 0, 0, zeros(4), ascii(handler), zeros(13)),
      box("minf", table),
    ),
  );
}

const picture = (width: number, height: number): Bytes =>
  box("avc1", zeros(6), be(2, 1), zeros(16), be(2, width, height), zeros(50));

const voice = box("mp4a", zeros(6), be(2, 1), zeros(20));

function fragment(samples: number, ticks: number, bytes: number): Bytes {
  const of = (offset: number): Bytes =>
    box(
      "moof",
      full("mfhd", 0, 0, be(4, 1)),
      box(
        "traf",
        full("tfhd", 0, 0x20018, be(4, 1, ticks, bytes)),
        full("trun", 0, 0x1, be(4, samples, offset)),
      ),
    );
  return cat(of(of(0).length + 8), box("mdat", zeros(samples * bytes)));
}

/** A movie whose frames and sound have the lengths of the options, its data in one chunk for each track. */
export function movie(options: Partial<MovieOptions> = {}): Bytes {
  const { width = 1280, height = 720, timescale = 600, runs = [[120, 25]], brand = "isom" } = options;
  const {
    indexFirst = true,
    sound = 0,
    picture: shown = true,
    edits = [],
    fragments = 0,
    sampleBytes = 2,
  } = options;
  const seconds = runs.reduce((sum, [samples, ticks]) => sum + samples * ticks, 0) / timescale;
  const claimed = options.claimed ?? Math.max(seconds, sound);
  const soundRuns: [number, number][] = [[Math.round((sound * SOUND_RATE) / SOUND_TICKS), SOUND_TICKS]];
  const pictureBytes = shown && fragments === 0 ? count(runs) * sampleBytes : 0;
  const data = box("mdat", zeros(pictureBytes + count(soundRuns)));
  const index = (dataAt: number): Bytes =>
    box(
      "moov",
      full("mvhd", 0, 0, zeros(8), be(4, MOVIE_SCALE, claimed * MOVIE_SCALE), zeros(80)),
      ...(shown
        ? [
            track({
              id: 1,
              handler: "vide",
              entry: picture(width, height),
              timescale,
              runs: fragments > 0 ? [] : runs,
              at: dataAt,
              bytes: sampleBytes,
              edits,
              claimed,
            }),
          ]
        : []),
      ...(sound > 0
        ? [
            track({
              id: 2,
              handler: "soun",
              entry: voice,
              timescale: SOUND_RATE,
              runs: soundRuns,
              at: dataAt + pictureBytes,
              bytes: 1,
              edits: [],
              claimed,
            }),
          ]
        : []),
      ...(fragments > 0 ? [box("mvex", full("trex", 0, 0, be(4, 1, 1, 0, 0, 0)))] : []),
    );
  const type = box("ftyp", ascii(brand), zeros(4), ascii(brand));
  if (fragments > 0) {
    const [[samples, ticks] = [0, 0]] = runs;
    const each = Array.from({ length: fragments }, () => fragment(samples / fragments, ticks, sampleBytes));
    return cat(type, index(0), ...each);
  }
  return indexFirst
    ? cat(type, index(type.length + index(0).length + 8), data)
    : cat(type, data, index(type.length + 8));
}
