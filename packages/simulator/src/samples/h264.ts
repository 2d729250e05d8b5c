import { createBitWriter, u32 } from "./bits.ts";

/** A video stream of one gray key frame and as many frames that repeat it as are wanted. */
export interface Stream {
  sps: Buffer;
  pps: Buffer;
  /** Each with its length in front, as MP4 stores them; only the first is a key frame. */
  frames: Buffer[];
}

/** Bytes that would look like a start code get a 3 in between. */
function escaped(bytes: Buffer): Buffer {
  const out: number[] = [];
  let zeros = 0;
  for (const byte of bytes) {
    if (zeros >= 2 && byte <= 3) {
      out.push(3);
      zeros = 0;
    }
    out.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Buffer.from(out);
}

type Bits = ReturnType<typeof createBitWriter>;

function unit(header: number, write: (bits: Bits) => void): Buffer {
  const bits = createBitWriter();
  write(bits);
  bits.put(1, 1);
  return Buffer.concat([Buffer.from([header]), escaped(bits.bytes())]);
}

const framed = (nal: Buffer): Buffer => Buffer.concat([u32(nal.length), nal]);

function parameterSets(width: number, height: number): { sps: Buffer; pps: Buffer } {
  const [columns, rows] = [Math.ceil(width / 16), Math.ceil(height / 16)];
  const [right, bottom] = [(columns * 16 - width) >> 1, (rows * 16 - height) >> 1];
  const sps = unit(0x67, (bits) => {
    // Constrained baseline, level 5.1: enough for every size there is.
    for (const byte of [66, 0xc0, 51]) bits.put(8, byte);
    for (const value of [0, 0, 2, 1]) bits.golomb(value);
    bits.put(1, 0);
    bits.golomb(columns - 1);
    bits.golomb(rows - 1);
    bits.put(2, 0b11);
    bits.put(1, right + bottom > 0 ? 1 : 0);
    if (right + bottom > 0) for (const value of [0, right, 0, bottom]) bits.golomb(value);
    bits.put(1, 0);
  });
  const pps = unit(0x68, (bits) => {
    for (const value of [0, 0]) bits.golomb(value);
    bits.put(2, 0);
    for (const value of [0, 0, 0]) bits.golomb(value);
    bits.put(3, 0);
    for (const value of [0, 0, 0]) bits.golomb(value);
    bits.put(3, 0);
  });
  return { sps, pps };
}

function keyFrame(blocks: number): Buffer {
  return unit(0x65, (bits) => {
    for (const value of [0, 7, 0]) bits.golomb(value);
    bits.put(4, 0);
    bits.golomb(0);
    bits.put(2, 0);
    bits.golomb(0);
    // Predicted from nothing, with no residue: a block of middle gray.
    for (let index = 0; index < blocks; index++) bits.put(8, 0b00100111);
  });
}

function repeatFrame(blocks: number, number: number): Buffer {
  return unit(0x41, (bits) => {
    for (const value of [0, 5, 0]) bits.golomb(value);
    bits.put(4, number % 16);
    bits.put(3, 0);
    bits.golomb(0);
    bits.golomb(blocks);
  });
}

/** The stream of a still picture; width and height are even. */
export function h264(width: number, height: number, frames: number): Stream {
  const blocks = Math.ceil(width / 16) * Math.ceil(height / 16);
  const repeats = Array.from({ length: 16 }, (_, index) => framed(repeatFrame(blocks, index)));
  return {
    ...parameterSets(width, height),
    frames: Array.from({ length: frames }, (_, index) =>
      index === 0 ? framed(keyFrame(blocks)) : repeats[index % 16]!,
    ),
  };
}
