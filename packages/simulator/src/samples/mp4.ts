import { u16, u32 } from "./bits.ts";
import { box, fullBox, words } from "./boxes.ts";
import { h264 } from "./h264.ts";
import { AAC_FRAME, aacFrame } from "./recorded.ts";

export interface VideoSample {
  /** Even pixels. */
  w: number;
  h: number;
  seconds: number;
  /** Default 24. */
  fps?: number;
  /** The number of frames, where it is not simply seconds × fps. */
  frames?: number;
  /** Adds a silent sound track of this many seconds, or as long as the pictures when true. */
  audio?: boolean | number;
  /** Goes into the file unseen: two marks make two files. */
  mark?: string;
}

interface Track {
  kind: "vide" | "soun";
  /** Ticks in a second, ticks in a sample. */
  scale: number;
  step: number;
  width: number;
  height: number;
  entry: Buffer;
  samples: Buffer[];
}

const SCALE = 1000;
const MATRIX = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
const RATE = 44100;
/** What a decoder needs before the first frame: low complexity, the rate, one channel. */
const AAC = [0x12, 0x08];

function videoTrack({ w, h, seconds, fps = 24, frames }: VideoSample): Track {
  const count = frames ?? Math.round(seconds * fps);
  const { sps, pps, frames: samples } = h264(w, h, count);
  const configuration = box(
    "avcC",
    [1, sps[1]!, sps[2]!, sps[3]!, 0xff, 0xe1],
    u16(sps.length),
    sps,
    [1],
    u16(pps.length),
    pps,
  );
  const entry = box(
    "avc1",
    [0, 0, 0, 0, 0, 0, 0, 1],
    Buffer.alloc(16),
    u16(w),
    u16(h),
    words(0x480000, 0x480000, 0),
    [0, 1],
    Buffer.alloc(32),
    [0, 24, 0xff, 0xff],
    configuration,
  );
  return { kind: "vide", scale: fps * 1000, step: 1000, width: w, height: h, entry, samples };
}

function audioTrack(seconds: number): Track {
  const decoder = Buffer.concat([
    Buffer.from([0x40, 0x15, 0, 0, 0]),
    words(2000, 2000),
    Buffer.from([5, AAC.length, ...AAC]),
  ]);
  const descriptor = Buffer.concat([
    Buffer.from([0, 1, 0, 4, decoder.length]),
    decoder,
    Buffer.from([6, 1, 2]),
  ]);
  const entry = box(
    "mp4a",
    [0, 0, 0, 0, 0, 0, 0, 1],
    words(0, 0),
    [0, 1, 0, 16, 0, 0, 0, 0],
    u32(RATE * 65536),
    fullBox("esds", [0, 0], [3, descriptor.length], descriptor),
  );
  const samples = new Array<Buffer>(Math.round((seconds * RATE) / AAC_FRAME)).fill(aacFrame());
  return { kind: "soun", scale: RATE, step: AAC_FRAME, width: 0, height: 0, entry, samples };
}

const durationOf = ({ scale, step, samples }: Track): number =>
  Math.round((samples.length * step * SCALE) / scale);

function trackBox(track: Track, id: number, start: number, movie: boolean): Buffer {
  const { kind, scale, step, width, height, entry, samples } = track;
  const video = kind === "vide";
  const header = video ? fullBox("vmhd", [0, 1], words(0, 0)) : fullBox("smhd", [0, 0], u32(0));
  const table = box(
    "stbl",
    fullBox("stsd", [0, 0], u32(1), entry),
    fullBox("stts", [0, 0], words(1, samples.length, step)),
    ...(video ? [fullBox("stss", [0, 0], words(1, 1))] : []),
    fullBox("stsc", [0, 0], words(1, 1, samples.length, 1)),
    fullBox("stsz", [0, 0], words(0, samples.length, ...samples.map((sample) => sample.length))),
    fullBox("stco", [0, 0], words(1, start)),
  );
  const handler = fullBox("hdlr", [0, 0], movie ? "mhlr" : u32(0), kind, Buffer.alloc(13));
  return box(
    "trak",
    fullBox(
      "tkhd",
      [0, 3],
      words(0, 0, id, 0, durationOf(track), 0, 0, 0),
      u16(video ? 0 : 0x100),
      u16(0),
      MATRIX,
      words(width * 65536, height * 65536),
    ),
    box(
      "mdia",
      fullBox("mdhd", [0, 0], words(0, 0, scale, samples.length * step), u16(0x55c4), u16(0)),
      handler,
      box("minf", header, box("dinf", fullBox("dref", [0, 0], u32(1), fullBox("url ", [0, 1]))), table),
    ),
  );
}

function mux(tracks: Track[], brand: string, mark: string): Buffer {
  const movie = brand === "qt  ";
  const type = box("ftyp", brand, u32(512), movie ? "qt  " : "isomiso2avc1mp41");
  const free = box("free", mark);
  const sizes = tracks.map(({ samples }) => samples.reduce((sum, sample) => sum + sample.length, 0));
  const header = (start: number): Buffer =>
    box(
      "moov",
      fullBox(
        "mvhd",
        [0, 0],
        words(0, 0, SCALE, Math.max(...tracks.map(durationOf)), 0x10000),
        [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        MATRIX,
        Buffer.alloc(24),
        u32(tracks.length + 1),
      ),
      ...tracks.map((track, index) =>
        trackBox(track, index + 1, start + sizes.slice(0, index).reduce((sum, size) => sum + size, 0), movie),
      ),
    );
  const start = type.length + header(0).length + free.length + 8;
  return Buffer.concat([type, header(start), free, box("mdat", ...tracks.flatMap(({ samples }) => samples))]);
}

const file =
  (brand: string) =>
  (sample: VideoSample): Buffer => {
    const { audio, seconds, mark = "" } = sample;
    const sound = audio === true ? seconds : Number(audio ?? 0);
    return mux([videoTrack(sample), ...(sound > 0 ? [audioTrack(sound)] : [])], brand, mark);
  };

/** A still gray film that plays: H.264, the index in front of the pictures. */
export const mp4 = file("isom");
/** The same film as QuickTime names it. */
export const mov = file("qt  ");
