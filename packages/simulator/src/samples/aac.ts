import { createBitWriter } from "./bits.ts";

const RATES = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000];
/** Samples in one frame. */
export const AAC_FRAME = 1024;

const rateIndex = (rate: number): number => Math.max(0, RATES.indexOf(rate));

/** A frame of silence, one channel. */
export function aacFrame(): Buffer {
  const bits = createBitWriter();
  bits.put(7, 0);
  bits.put(8, 0);
  bits.put(11, 0);
  bits.put(3, 0);
  bits.put(3, 0b111);
  return bits.bytes();
}

/** The facts that a decoder needs before the first frame: low complexity, rate, one channel. */
export function aacConfiguration(rate: number): Buffer {
  const bits = createBitWriter();
  bits.put(5, 2);
  bits.put(4, rateIndex(rate));
  bits.put(4, 1);
  bits.put(3, 0);
  return bits.bytes();
}

/** Silence as an AAC file: frames that each describe themselves. */
export function aac(seconds: number, rate = 44100): Buffer {
  const data = aacFrame();
  const bits = createBitWriter();
  bits.put(16, 0xfff1);
  bits.put(2, 1);
  bits.put(4, rateIndex(rate));
  bits.put(1, 0);
  bits.put(3, 1);
  bits.put(4, 0);
  bits.put(13, data.length + 7);
  bits.put(11, 0x7ff);
  bits.put(2, 0);
  const frame = Buffer.concat([bits.bytes(), data]);
  return Buffer.concat(new Array<Buffer>(Math.ceil((seconds * rate) / AAC_FRAME)).fill(frame));
}
