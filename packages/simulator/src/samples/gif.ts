import { createBitWriter, le16 } from "./bits.ts";
import { type Color, GRAY } from "./color.ts";

const CLEAR = 4;
const END = 5;
const FULL = 4095;

/** The compressed pixels of one run of colour 0: every code stands for one pixel more than the code before. */
function compress(pixels: number): Buffer {
  const bits = createBitWriter("least");
  let width = 3;
  let next = END;
  const put = (code: number): void => {
    bits.put(width, code);
    // Readers learn a code with every one they read, except for the first behind a clear.
    next += 1;
    if (next === 2 ** width && width < 12) width += 1;
  };
  let left = pixels;
  while (left > 0) {
    bits.put(width, CLEAR);
    width = 3;
    next = END;
    for (let run = 1; left > 0 && next < FULL; run++) {
      const length = Math.min(run, left);
      put(length === 1 ? 0 : END - 1 + length);
      left -= length;
    }
  }
  bits.put(width, END);
  return bits.bytes();
}

/** A flat GIF. */
export function gif(width: number, height: number, color: Color = GRAY): Buffer {
  const size = [le16(width), le16(height)];
  const data = compress(width * height);
  const blocks: Buffer[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const block = data.subarray(at, at + 255);
    blocks.push(Buffer.from([block.length]), block);
  }
  return Buffer.concat([
    Buffer.from("GIF89a", "latin1"),
    ...size,
    Buffer.from([0x91, 0, 0, ...color, 255, 255, 255, 0, 0, 0, 0, 0, 0]),
    Buffer.from([0x2c, 0, 0, 0, 0]),
    ...size,
    Buffer.from([0, 2]),
    ...blocks,
    Buffer.from([0, 0x3b]),
  ]);
}
