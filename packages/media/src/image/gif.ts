import type { Format } from "../format.ts";
import { truncated, unreadable } from "../probe-error.ts";
import type { View } from "../view.ts";
import { picture } from "./size.ts";

const IMAGE = 0x2c;
const EXTENSION = 0x21;
const TRAILER = 0x3b;

const tableBytes = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

/** Finds the end of a run of sub-blocks. */
function afterBlocks(file: View, from: number): number {
  let at = from;
  for (let length = file.u8(at); length > 0; length = file.u8(at)) at += 1 + length;
  return at + 1;
}

/** The size is the logical screen's: what a viewer shows, whatever the frames are. */
export const gif: Format = {
  is: (file) => file.has("GIF87a") || file.has("GIF89a"),
  read(file) {
    let images = 0;
    for (let at = 13 + tableBytes(file.u8(10)); at < file.length; ) {
      switch (file.u8(at)) {
        case IMAGE:
          at = afterBlocks(file, at + 11 + tableBytes(file.u8(at + 9)));
          images++;
          break;
        case EXTENSION:
          at = afterBlocks(file, at + 2);
          break;
        case TRAILER:
          if (images === 0) throw unreadable("it is a GIF without a picture");
          return picture("image/gif", file.u16(6, true), file.u16(8, true));
        default:
          throw unreadable("a GIF block does not end where it says");
      }
    }
    throw truncated("a GIF needs its trailer");
  },
};
