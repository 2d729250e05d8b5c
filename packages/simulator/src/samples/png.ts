import { crc32, deflateSync } from "node:zlib";
import { u32 } from "./bits.ts";
import { type Color, GRAY } from "./color.ts";

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([u32(data.length), body, u32(crc32(body))]);
}

/** A flat PNG: one bit a pixel and a palette, so that the largest picture is a few kilobytes. */
export function png(width: number, height: number, color: Color = GRAY, alpha = 255): Buffer {
  const header = Buffer.concat([u32(width), u32(height), Buffer.from([1, 3, 0, 0, 0])]);
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from([...color, 255, 255, 255])),
    ...(alpha < 255 ? [chunk("tRNS", Buffer.from([alpha]))] : []),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
