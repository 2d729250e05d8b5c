import type { Format } from "../format.ts";
import { truncated, unreadable } from "../probe-error.ts";
import type { View } from "../view.ts";
import { picture } from "./size.ts";

const END = 0xd9;
const SCAN = 0xda;

/** Frame headers; 0xc4, 0xc8 and 0xcc between them are tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Markers that stand inside entropy-coded data: escaped bytes, restarts, and fill. */
const isData = (marker: number): boolean =>
  marker === 0 || marker === 1 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7);

/** Finds the next marker after entropy-coded data. */
function afterData(file: View, from: number): number {
  for (let at: number | undefined = from; ; at += file.u8(at + 1) === 0xff ? 1 : 2) {
    at = file.find(0xff, at);
    if (at === undefined) throw truncated("a JPEG needs its end marker");
    if (!isData(file.u8(at + 1))) return at;
  }
}

/** Data after the end marker is ignored: cameras append previews and moving pictures. */
export const jpeg: Format = {
  is: (file) => file.has("\xff\xd8\xff"),
  read(file) {
    let frame: { width: number; height: number } | undefined;
    let scanned = false;
    for (let at = 2; ; ) {
      if (at >= file.length) throw truncated("a JPEG needs its end marker");
      if (file.u8(at) !== 0xff) throw unreadable("a JPEG segment does not end where it says");
      const marker = file.u8(at + 1);
      if (marker === 0xff) {
        at += 1;
        continue;
      }
      if (marker === END) break;
      if (marker <= 1 || (marker >= 0xd0 && marker <= 0xd8))
        throw unreadable("a JPEG marker is out of place");
      const length = file.u16(at + 2);
      if (length < 2) throw unreadable("a JPEG segment has no length");
      const segment = file.slice(at + 4, length - 2);
      at += 2 + length;
      if (isFrame(marker)) {
        // A second frame belongs to a hierarchical picture, which almost no viewer can show.
        if (frame) throw unreadable("it is a JPEG with more than one picture size");
        if (segment.length !== 6 + 3 * segment.u8(5)) throw unreadable("its JPEG frame header is malformed");
        frame = { height: segment.u16(1), width: segment.u16(3) };
      }
      if (marker === SCAN) {
        if (!frame) throw unreadable("its JPEG data comes before the picture size");
        scanned = true;
        at = afterData(file, at);
      }
    }
    if (!frame || !scanned) throw unreadable("it is a JPEG without picture data");
    return picture("image/jpeg", frame.width, frame.height);
  },
};
