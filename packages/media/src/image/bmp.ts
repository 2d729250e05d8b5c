import type { Format } from "../format.ts";
import { truncated, unreadable } from "../probe-error.ts";
import { picture } from "./size.ts";

const CORE = 12;
const HEADERS = [CORE, 16, 40, 52, 56, 64, 108, 124];
const DEPTHS = [0, 1, 2, 4, 8, 16, 24, 32];

/** Compressions that leave rows as they are: none, and the two kinds of bit masks. */
const PLAIN = [0, 3, 6];

export const bmp: Format = {
  is: (file) => file.has("BM") && file.length >= 18 && HEADERS.includes(file.u32(14, true)),
  read(file) {
    const declared = file.u32(2, true);
    // Some writers leave the field empty.
    if (declared > file.length) throw truncated(`${declared} bytes are announced, ${file.length} came`);
    const core = file.u32(14, true) === CORE;
    const width = core ? file.u16(18, true) : file.i32(18, true);
    // A negative height says that rows run from top to bottom.
    const height = core ? file.u16(20, true) : Math.abs(file.i32(22, true));
    const planes = file.u16(core ? 22 : 26, true);
    const depth = file.u16(core ? 24 : 28, true);
    const compression = file.u32(14, true) >= 40 ? file.u32(30, true) : 0;
    if (planes !== 1 || !DEPTHS.includes(depth)) throw unreadable("its BMP header is malformed");
    const found = picture("image/bmp", width, height);
    const pixels = file.slice(file.u32(10, true));
    if (pixels.start < 26 || pixels.length === 0) throw unreadable("its BMP pixels begin nowhere");
    const rows = Math.ceil((width * depth) / 32) * 4 * height;
    if (PLAIN.includes(compression) && rows > pixels.length)
      throw truncated(`${rows} bytes of BMP pixels are announced, ${pixels.length} came`);
    return found;
  },
};
