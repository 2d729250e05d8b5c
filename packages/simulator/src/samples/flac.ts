import { u16 } from "./bits.ts";
import { copyOf } from "./recorded.ts";

function check(bytes: Buffer, width: 8 | 16, polynomial: number): number {
  let value = 0;
  const top = 2 ** (width - 1);
  for (const byte of bytes) {
    value ^= byte << (width - 8);
    for (let bit = 0; bit < 8; bit++) value = ((value << 1) ^ (value & top ? polynomial : 0)) & (top * 2 - 1);
  }
  return value;
}

/** Samples in one block. */
const BLOCK = 4096;

function frame(index: number): Buffer {
  const head = [0xff, 0xf8, 0xc0, 0x00];
  // Frame numbers are written as UTF-8 writes characters.
  const number = [...Buffer.from(String.fromCodePoint(index))];
  const header = Buffer.from([...head, ...number]);
  const body = Buffer.concat([header, Buffer.from([check(header, 8, 0x07), 0, 0, 0])]);
  return Buffer.concat([body, u16(check(body, 16, 0x8005))]);
}

/** Silence as FLAC, one channel of 16 bits at 24 kHz, in whole blocks. */
export function flac(seconds: number): Buffer {
  const blocks = Math.max(1, Math.round((seconds * 24_000) / BLOCK));
  const header = copyOf("flac");
  header.writeUInt32BE(blocks * BLOCK, 22);
  return Buffer.concat([header, ...Array.from({ length: blocks }, (_, index) => frame(index))]);
}
