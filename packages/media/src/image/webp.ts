import type { Format } from "../format.ts";
import { unreadable } from "../probe-error.ts";
import type { View } from "../view.ts";
import { picture } from "./size.ts";

interface Size {
  width: number;
  height: number;
}

function lossy(chunk: View): Size {
  if (!chunk.has("\x9d\x01\x2a", 3)) throw unreadable("its WebP picture does not begin with a key frame");
  return { width: chunk.u16(6, true) & 0x3fff, height: chunk.u16(8, true) & 0x3fff };
}

function lossless(chunk: View): Size {
  if (chunk.u8(0) !== 0x2f) throw unreadable("its WebP picture lacks its signature");
  const bits = chunk.u32(1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

export const webp: Format = {
  is: (file) => file.has("RIFF") && file.has("WEBP", 8),
  read(file) {
    const riff = file.slice(8, file.u32(4, true));
    let canvas: Size | undefined;
    let still: Size | undefined;
    let frames = 0;
    for (let at = 4; at + 8 <= riff.length; ) {
      const type = riff.text(at, 4);
      const length = riff.u32(at + 4, true);
      const chunk = riff.slice(at + 8, length);
      if (type === "VP8X") canvas ??= { width: chunk.u24(4, true) + 1, height: chunk.u24(7, true) + 1 };
      else if (type === "VP8 ") still ??= lossy(chunk);
      else if (type === "VP8L") still ??= lossless(chunk);
      else if (type === "ANMF") frames++;
      at += 8 + length + (length % 2);
    }
    const size = canvas ?? still;
    if (!size || (!still && frames === 0)) throw unreadable("it is a WebP without a picture");
    if (still && (still.width !== size.width || still.height !== size.height))
      throw unreadable("its WebP canvas and picture differ in size");
    return picture("image/webp", size.width, size.height);
  },
};
