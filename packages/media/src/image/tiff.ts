import type { Format } from "../format.ts";
import { unreadable } from "../probe-error.ts";
import type { View } from "../view.ts";
import { picture } from "./size.ts";

/** Bytes of the integer types: byte, short, long and 64-bit long. Sizes, offsets and counts have one of them. */
const INTEGERS: Record<number, 1 | 2 | 4 | 8> = { 1: 1, 3: 2, 4: 4, 13: 4, 16: 8, 18: 8 };

const WIDTH = 256;
const HEIGHT = 257;
/** Where the picture data may stand: offsets and byte counts of strips, of tiles, of an embedded JPEG. */
const DATA = [
  [273, 279],
  [324, 325],
  [513, 514],
] as const;

interface Values {
  count: number;
  at(index: number): number;
}

/** The integer fields of the first directory, by tag. Classic files have 4-byte offsets, big ones 8-byte. */
function directory(file: View, little: boolean, big: boolean): Map<number, Values> {
  const word = big ? 8 : 4;
  const offset = (at: number): number => (big ? file.u64(at, little) : file.u32(at, little));
  const start = offset(big ? 8 : 4);
  const entries = big ? file.u64(start, little) : file.u16(start, little);
  const first = start + (big ? 8 : 2);
  const fields = new Map<number, Values>();
  for (let index = 0; index < entries; index++) {
    const entry = first + index * (word * 2 + 4);
    const bytes = INTEGERS[file.u16(entry + 2, little)];
    if (bytes === undefined) continue;
    const count = offset(entry + 4);
    const inline = count * bytes <= word;
    const values = file.slice(inline ? entry + 4 + word : offset(entry + 4 + word), count * bytes);
    const read = { 1: "u8", 2: "u16", 4: "u32", 8: "u64" } as const;
    fields.set(file.u16(entry, little), {
      count,
      at: (position) => values[read[bytes]](position * bytes, little),
    });
  }
  // The offset of the next directory is the last field: reading it checks that the directory is complete.
  offset(first + entries * (word * 2 + 4));
  return fields;
}

/** Pages after the first are ignored. */
export const tiff: Format = {
  is: (file) => ["II*\0", "MM\0*", "II+\0\x08\0\0\0", "MM\0+\0\x08\0\0"].some((start) => file.has(start)),
  read(file) {
    const little = file.has("II");
    const fields = directory(file, little, file.u16(2, little) === 43);
    const width = fields.get(WIDTH);
    const height = fields.get(HEIGHT);
    if (width?.count !== 1 || height?.count !== 1) throw unreadable("its TIFF directory has no picture size");
    let data = 0;
    for (const [offsets, counts] of DATA) {
      const at = fields.get(offsets);
      const length = fields.get(counts);
      if (!at && !length) continue;
      if (!at || at.count !== length?.count)
        throw unreadable("its TIFF directory does not say where its data is");
      for (let index = 0; index < at.count; index++)
        data += file.slice(at.at(index), length.at(index)).length;
    }
    if (data === 0) throw unreadable("it is a TIFF without picture data");
    return picture("image/tiff", width.at(0), height.at(0));
  },
};
