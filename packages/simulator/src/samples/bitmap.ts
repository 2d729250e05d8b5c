import { le16, le32 } from "./bits.ts";
import { type Color, GRAY } from "./color.ts";

/** A flat BMP of one bit a pixel. */
export function bmp(width: number, height: number, [red, green, blue]: Color = GRAY): Buffer {
  const pixels = Buffer.alloc(Math.ceil(width / 32) * 4 * height);
  const palette = Buffer.from([blue, green, red, 0, 255, 255, 255, 0]);
  const start = 14 + 40 + palette.length;
  return Buffer.concat([
    Buffer.from("BM", "latin1"),
    ...[start + pixels.length, 0, start, 40, width, height].map(le32),
    le16(1),
    le16(1),
    ...[0, pixels.length, 2835, 2835, 2, 2].map(le32),
    palette,
    pixels,
  ]);
}

const SHORT = 3;
const LONG = 4;

/** A black TIFF of one bit a pixel, in one strip. */
export function tiff(width: number, height: number): Buffer {
  const strip = Buffer.alloc(Math.ceil(width / 8) * height);
  const fields: [tag: number, type: number, value: number][] = [
    [256, LONG, width],
    [257, LONG, height],
    [258, SHORT, 1],
    [259, SHORT, 1],
    [262, SHORT, 1],
    [273, LONG, 0],
    [277, SHORT, 1],
    [278, LONG, height],
    [279, LONG, strip.length],
  ];
  const start = 8 + 2 + fields.length * 12 + 4;
  const entries = fields.map(([tag, type, value]) =>
    Buffer.concat([le16(tag), le16(type), le32(1), le32(tag === 273 ? start : value)]),
  );
  return Buffer.concat([
    Buffer.from("II*\0", "latin1"),
    le32(8),
    le16(fields.length),
    ...entries,
    le32(0),
    strip,
  ]);
}
