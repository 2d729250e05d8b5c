import { ascii, type Bytes, be, cat, le, raw, zeros } from "./bytes.ts";

export interface WavOptions {
  seconds: number;
  rate: number;
  channels: number;
  bits: number;
  coding: number;
  /** What the header says of the data's length. */
  claimed: number;
  byteRate: number;
  block: number;
}

/** Silence; the headers say what is so, unless told otherwise. */
export function wav(options: Partial<WavOptions> = {}): Bytes {
  const { seconds = 5, rate = 1000, channels = 1, bits = 8, coding = 1 } = options;
  const block = options.block ?? (channels * bits) / 8;
  const length = Math.round(seconds * rate) * ((channels * bits) / 8);
  const claimed = options.claimed ?? length;
  const format = cat(
    le(2, coding, channels),
    le(4, rate, options.byteRate ?? rate * block),
    le(2, block, bits),
  );
  const body = cat(
    ascii("WAVEfmt "),
    le(4, format.length),
    format,
    ascii("data"),
    le(4, claimed),
    zeros(length + (length % 2)),
  );
  return cat(ascii("RIFF"), le(4, claimed >= 0x7ffff000 ? claimed : body.length), body);
}

/** Headers of frames of 48 kHz and 24 ms, and the frames' bytes, by kilobits a second. */
const FRAMES: Record<number, [header: number, bytes: number]> = {
  32: [0xfffb14c0, 96],
  64: [0xfffb54c0, 192],
  128: [0xfffb94c0, 384],
};

export const FRAME_SECONDS = 0.024;

export function frame(kilobits: number): Bytes {
  const [header, bytes] = FRAMES[kilobits] as [number, number];
  return cat(be(4, header), zeros(bytes - 4));
}

/** An ID3 tag that says it has so many bytes after its head. */
export const id3 = (claimed: number, body: Uint8Array = zeros(claimed)): Bytes =>
  cat(
    ascii("ID3"),
    raw(4, 0, 0, (claimed >> 21) & 127, (claimed >> 14) & 127, (claimed >> 7) & 127, claimed & 127),
    body,
  );

/** A frame that says how many frames follow, as variable-rate files begin. */
export function index(frames: number): Bytes {
  const body = frame(64);
  body.set(cat(ascii("Xing"), be(4, 1, frames)), 4 + 17);
  return body;
}

export interface Mp3Options {
  seconds: number;
  /** The rates of the frames, over and over. */
  kilobits: number[];
  before: Bytes[];
  after: Bytes[];
}

export function mp3(options: Partial<Mp3Options> = {}): Bytes {
  const { seconds = 5, kilobits = [32], before = [], after = [] } = options;
  const frames = Array.from({ length: Math.round(seconds / FRAME_SECONDS) }, (_, index) =>
    frame(kilobits[index % kilobits.length] as number),
  );
  return cat(...before, ...frames, ...after);
}

/** The check of a frame's header in FLAC. */
function checksum(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = ((value << 1) ^ (value & 0x80 ? 0x07 : 0)) & 0xff;
  }
  return value;
}

/** A hundred blocks of FLAC of 4096 samples at the rate of the header; `code` and `own` are what each frame says of it. */
export function flac({ rate = 44_100, code = 0, own = [] as number[] } = {}): Bytes {
  const info = cat(be(2, 4096, 4096), zeros(6), be(3, rate * 16), zeros(21));
  const frames = Array.from({ length: 100 }, (_, number) => {
    const head = raw(0xff, 0xf8, 0xc0 + code, 0, number, ...own);
    return cat(head, raw(checksum(head)), zeros(5));
  });
  return cat(ascii("fLaC"), raw(0x80), be(3, info.length), info, ...frames);
}
