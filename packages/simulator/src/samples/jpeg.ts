import { createBitWriter, u16 } from "./bits.ts";
import { type Color, GRAY } from "./color.ts";

const segment = (marker: number, ...parts: (Buffer | number[])[]): Buffer => {
  const data = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from([0xff, marker]), u16(data.length + 2), data]);
};

/** Code lengths 1–16, then symbols: difference 0 is the bit 0, categories 1–8 have five bits each. */
const DC = [
  [1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  [0, 1, 2, 3, 4, 5, 6, 7, 8],
];
/** The only symbol is the end of a block, the bit 0. */
const AC = [[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0]];

function planes([r, g, b]: Color): number[] {
  const y = 0.299 * r + 0.587 * g + 0.114 * b;
  return [y - 128, (b - y) * 0.564, (r - y) * 0.713].map((value) =>
    Math.max(-127, Math.min(127, Math.round(value))),
  );
}

/** A flat baseline JPEG: the first blocks set the colour, all others repeat it in two zero bits each. */
export function jpeg(width: number, height: number, color: Color = GRAY): Buffer {
  const bits = createBitWriter();
  for (const value of planes(color)) {
    const category = value === 0 ? 0 : Math.floor(Math.log2(Math.abs(value))) + 1;
    if (category === 0) bits.put(1, 0);
    else {
      bits.put(5, 15 + category);
      bits.put(category, value < 0 ? value + 2 ** category - 1 : value);
    }
    bits.put(1, 0);
  }
  const units = Math.ceil(width / 8) * Math.ceil(height / 8);
  // A byte of ones inside the scan would read as a marker: a zero byte behind it says that it is none.
  const first = [...bits.bytes()].flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte]));
  const scan = Buffer.concat([Buffer.from(first), Buffer.alloc(Math.ceil(((units - 1) * 6) / 8))]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from("JFIF\0", "latin1"), [1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(0xdb, [0], new Array<number>(64).fill(8)),
    segment(0xc0, [8], u16(height), u16(width), [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]),
    segment(0xc4, [0x00], ...DC),
    segment(0xc4, [0x10], ...AC),
    segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
    scan,
    Buffer.from([0xff, 0xd9]),
  ]);
}
