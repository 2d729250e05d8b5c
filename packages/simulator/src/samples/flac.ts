import { createBitWriter, u16 } from "./bits.ts";

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

/** Silence as FLAC, one channel of 16 bits, in whole blocks. */
export function flac(seconds: number, rate = 24000): Buffer {
  const blocks = Math.max(1, Math.round((seconds * rate) / BLOCK));
  const bits = createBitWriter();
  bits.put(8, 0x80);
  bits.put(24, 34);
  bits.put(16, BLOCK);
  bits.put(16, BLOCK);
  bits.put(24, 0);
  bits.put(24, 0);
  bits.put(20, rate);
  bits.put(3, 0);
  bits.put(5, 15);
  bits.put(36, blocks * BLOCK);
  const info = Buffer.concat([bits.bytes(), Buffer.alloc(16)]);
  return Buffer.concat([
    Buffer.from("fLaC", "latin1"),
    info,
    ...Array.from({ length: blocks }, (_, index) => frame(index)),
  ]);
}
