import { box, versionOf } from "../boxes.ts";
import { unreadable } from "../probe-error.ts";
import type { View } from "../view.ts";

const FULL = 4;

/** Fields of a location have 0, 4 or 8 bytes, as the box says; 0 stands for the number zero. */
function field(body: View, at: number, bytes: number): number {
  if (bytes === 0) return 0;
  if (bytes === 4) return body.u32(at);
  if (bytes === 8) return body.u64(at);
  throw unreadable("its HEIF locations are malformed");
}

const IN_FILE = 0;
const IN_ITEM_DATA = 1;

/** Checks that each of these items of a HEIF file has a place, and that the place is inside the file. */
export function checkLocations(file: View, meta: View, items: number[]): void {
  const body = box(meta, "iloc");
  if (!body) throw unreadable("its HEIF items have no place");
  const version = versionOf(body);
  const sizes = body.u16(FULL);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = version > 0 ? sizes & 15 : 0;
  const wide = version > 1;
  const count = wide ? body.u32(FULL + 2) : body.u16(FULL + 2);
  const missing = new Set(items);
  const itemData = box(meta, "idat");
  let at = FULL + (wide ? 6 : 4);
  for (let entry = 0; entry < count && missing.size > 0; entry++) {
    const id = wide ? body.u32(at) : body.u16(at);
    at += wide ? 4 : 2;
    const method = version > 0 ? body.u16(at) & 15 : IN_FILE;
    at += version > 0 ? 4 : 2;
    const base = field(body, at, baseBytes);
    at += baseBytes;
    const extents = body.u16(at);
    at += 2;
    let bytes = 0;
    for (let extent = 0; extent < extents; extent++) {
      const offset = base + field(body, at + indexBytes, offsetBytes);
      const length = field(body, at + indexBytes + offsetBytes, lengthBytes);
      at += indexBytes + offsetBytes + lengthBytes;
      // Extents may have no bytes of their own, and there may be four billion of them.
      file.spend(1);
      if (!missing.has(id)) continue;
      const data = method === IN_ITEM_DATA ? itemData : file;
      if (!data || method > IN_ITEM_DATA) throw unreadable("its HEIF picture data is in no known place");
      // A length of zero means all there is.
      bytes += (length === 0 ? data.slice(offset) : data.slice(offset, length)).length;
    }
    if (bytes > 0) missing.delete(id);
  }
  if (missing.size > 0) throw unreadable("its HEIF main picture has no data");
}
