import { createBitWriter, le32 } from "./bits.ts";
import { type Color, GRAY } from "./color.ts";

/** A flat lossless WebP: every prefix code has one symbol, so a pixel takes no bits at all. */
export function webp(width: number, height: number, [red, green, blue]: Color = GRAY, alpha = 255): Buffer {
  const bits = createBitWriter("least");
  bits.put(8, 0x2f);
  bits.put(14, width - 1);
  bits.put(14, height - 1);
  bits.put(1, alpha < 255 ? 1 : 0);
  bits.put(3, 0);
  bits.put(3, 0);
  for (const symbol of [green, red, blue, alpha, 0]) {
    bits.put(3, 0b101);
    bits.put(8, symbol);
  }
  const stream = bits.bytes();
  const padded = stream.length % 2 === 0 ? stream : Buffer.concat([stream, Buffer.alloc(1)]);
  const chunk = Buffer.concat([Buffer.from("WEBPVP8L", "latin1"), le32(stream.length), padded]);
  return Buffer.concat([Buffer.from("RIFF", "latin1"), le32(chunk.length), chunk]);
}
