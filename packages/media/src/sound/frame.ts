import type { View } from "../view.ts";

/** One frame of MPEG audio, layer III. */
export interface Frame {
  bytes: number;
  /** Samples for each channel. */
  samples: number;
  /** Samples a second. */
  rate: number;
  mono: boolean;
  /** MPEG 1; otherwise 2 or 2.5, which halve the frame. */
  full: boolean;
}

/** Kilobits a second by the number in the header, of MPEG 1 and of the later ones. 0 (free) and 15 (bad) are out. */
const FULL_KILOBITS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const HALF_KILOBITS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/** Sample rates by the two bits of the version: 2.5, reserved, 2, 1. */
const RATES = [[11025, 12000, 8000], [], [22050, 24000, 16000], [44100, 48000, 32000]];

const SYNC = 0x7ff;
const LAYER_3 = 1;
const MONO = 3;

/** The frame whose header stands at an offset, if one does. */
export function frameAt(file: View, at: number): Frame | undefined {
  if (at + 4 > file.length) return undefined;
  const header = file.u32(at);
  if (header >>> 21 !== SYNC || ((header >>> 17) & 3) !== LAYER_3) return undefined;
  const version = (header >>> 19) & 3;
  const full = version === 3;
  const rate = RATES[version]?.[(header >>> 10) & 3];
  const kilobits = (full ? FULL_KILOBITS : HALF_KILOBITS)[(header >>> 12) & 15];
  if (rate === undefined || !kilobits) return undefined;
  const padding = (header >>> 9) & 1;
  const bytes = Math.floor(((full ? 144_000 : 72_000) * kilobits) / rate) + padding;
  return { bytes, samples: full ? 1152 : 576, rate, mono: ((header >>> 6) & 3) === MONO, full };
}

/** Checks whether a frame holds the index of the stream instead of sound. */
export function isIndex(file: View, at: number, { mono, full }: Frame): boolean {
  const side = full ? (mono ? 17 : 32) : mono ? 9 : 17;
  return file.has("Xing", at + 4 + side) || file.has("Info", at + 4 + side) || file.has("VBRI", at + 4 + 32);
}
