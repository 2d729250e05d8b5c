import { crc32 } from "node:zlib";
import type { Format } from "../format.ts";
import { truncated, unreadable } from "../probe-error.ts";
import { picture } from "./size.ts";

const HEADER = 8;
const PICTURE = HEADER + 8;

export const png: Format = {
  is: (file) => file.has("\x89PNG\r\n\x1a\n"),
  read(file) {
    if (file.u32(HEADER) !== 13 || !file.has("IHDR", HEADER + 4))
      throw unreadable("it does not begin with the header chunk of a PNG");
    const header = Buffer.from(file.text(HEADER + 4, 17), "latin1");
    if (crc32(header) !== file.u32(PICTURE + 13)) throw unreadable("its PNG header fails its checksum");
    let data = false;
    for (let at = PICTURE + 17; at < file.length; ) {
      const length = file.u32(at);
      const type = file.text(at + 4, 4);
      file.slice(at, length + 12);
      data ||= type === "IDAT";
      if (type === "IEND") {
        if (!data) throw unreadable("it is a PNG without picture data");
        return picture("image/png", file.u32(PICTURE), file.u32(PICTURE + 4));
      }
      at += length + 12;
    }
    throw truncated("a PNG needs its end chunk");
  },
};
