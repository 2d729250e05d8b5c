import type { Format } from "../format.ts";
import { unreadable } from "../probe-error.ts";
import type { View } from "../view.ts";
import { leadingTags } from "./tags.ts";

/** Samples of a block by the code in a frame's header; the codes 6 and 7 say it in bytes of their own. */
const blockOf = (code: number): number | undefined => {
  if (code === 1) return 192;
  if (code >= 2 && code <= 5) return 576 << (code - 2);
  return code >= 8 ? 256 << (code - 8) : undefined;
};

/** Bytes of the number of a frame, which is written as UTF-8 writes characters. */
function numberBytes(first: number): number | undefined {
  if (first < 0x80) return 1;
  const ones = Math.clz32(~(first << 24));
  return ones >= 2 && ones <= 7 ? ones : undefined;
}

/** Samples a second by the code in a frame's header: 0 is that of the file; 12 to 14 say it in bytes of their own. */
const RATES = [0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
/** What the bytes of the codes 12 to 14 count: samples a second in thousands, in ones, in tens. */
const UNITS = [1000, 1, 10];

const POLYNOMIAL = 0x07;

function checksum(file: View, at: number, length: number): number {
  let value = 0;
  for (let index = 0; index < length; index++) {
    value ^= file.u8(at + index);
    for (let bit = 0; bit < 8; bit++) value = ((value << 1) ^ (value & 0x80 ? POLYNOMIAL : 0)) & 0xff;
  }
  return value;
}

interface Frame {
  samples: number;
  /** Samples a second; 0 where it is that of the file. */
  rate: number;
}

/** The frame whose header stands at an offset, if one does: its check has to fit. */
function frameAt(file: View, at: number): Frame | undefined {
  if (at + 6 > file.length) return undefined;
  const header = file.u32(at);
  // A sync of 14 bits and a 0; the last bit is reserved as well.
  if (header >>> 17 !== 0x7ffc || (header & 1) !== 0) return undefined;
  const code = (header >>> 12) & 15;
  const rate = (header >>> 8) & 15;
  const number = numberBytes(file.u8(at + 4));
  // More channels and other sizes of samples are reserved.
  if (((header >>> 4) & 15) > 10 || ((header >>> 1) & 7) === 3) return undefined;
  if (code === 0 || rate === 15 || number === undefined) return undefined;
  const sized = code === 6 ? 1 : code === 7 ? 2 : 0;
  const rated = rate === 12 ? 1 : rate >= 13 ? 2 : 0;
  const length = 4 + number + sized + rated;
  if (at + length >= file.length || checksum(file, at, length) !== file.u8(at + length)) return undefined;
  const figureIn = (bytes: number, from: number): number => (bytes === 1 ? file.u8(from) : file.u16(from));
  const samples = sized === 0 ? blockOf(code) : 1 + figureIn(sized, at + 4 + number);
  if (samples === undefined) return undefined;
  return { samples, rate: RATES[rate] ?? figureIn(rated, at + 4 + number + sized) * (UNITS[rate - 12] ?? 0) };
}

const STREAMINFO = 0;
/** The share of samples in frames of another rate that chance explains: any bytes may look like a header. */
const MAX_FALSE_SHARE = 0.01;
/** So many frames of another rate chance explains in a short file too, where one may be more than that share. */
const MAX_FALSE_COUNT = 4;

/** Counts the samples of every frame: the total in the header may be missing, or forged. */
export const flac: Format = {
  is: (file) => file.has("fLaC") || (file.has("ID3") && file.has("fLaC", leadingTags(file))),
  read(file) {
    let at = (file.has("ID3") ? leadingTags(file) : 0) + 4;
    let rate = 0;
    for (let isLast = false; !isLast; ) {
      const type = file.u8(at);
      const body = file.slice(at + 4, file.u24(at + 1));
      isLast = type >= 0x80;
      if ((type & 0x7f) === STREAMINFO) rate = body.u24(10) >>> 4;
      at += 4 + body.length;
    }
    if (rate === 0) throw unreadable("its FLAC header has no rate");
    let [samples, others, frames] = [0, 0, 0];
    for (let found = file.find(0xff, at); found !== undefined; found = file.find(0xff, found + 1)) {
      const frame = frameAt(file, found);
      if (!frame) continue;
      samples += frame.samples;
      if (frame.rate === 0 || frame.rate === rate) continue;
      others += frame.samples;
      frames += 1;
    }
    if (samples === 0) throw unreadable("it is a FLAC file without audio");
    if (frames > MAX_FALSE_COUNT && others > samples * MAX_FALSE_SHARE)
      throw unreadable(`its FLAC frames contradict its rate of ${rate} Hz`);
    return { kind: "audio", mediaType: "audio/flac", seconds: samples / rate };
  },
};
