import { truncated } from "../probe-error.ts";
import type { View } from "../view.ts";

/** A length in four bytes of seven bits. */
function syncSafe(file: View, at: number): number {
  const bytes = file.u32(at);
  return (
    ((bytes >>> 24) & 0x7f) * 0x200000 +
    ((bytes >>> 16) & 0x7f) * 0x4000 +
    ((bytes >>> 8) & 0x7f) * 0x80 +
    (bytes & 0x7f)
  );
}

const FOOTER = 0x10;

/** Finds the end of the tags at the beginning of a file. */
export function leadingTags(file: View): number {
  let at = 0;
  while (file.has("ID3", at)) {
    const length = 10 + syncSafe(file, at + 6) + (file.u8(at + 5) & FOOTER ? 10 : 0);
    if (at + length > file.length)
      throw truncated(`its tags have ${length} bytes, ${file.length - at} are there`);
    at += length;
  }
  return at;
}

function tagBytes(file: View, at: number): number | undefined {
  if (file.has("TAG", at)) return 128;
  if (file.has("APETAGEX", at) && file.length - at >= 32) return 32 + file.u32(at + 12, true);
  if (file.has("ID3", at) && file.length - at >= 10) return 10 + syncSafe(file, at + 6);
  return undefined;
}

/** The length of the tag at an offset after the sound. A tag that does not fit is ignored: it could hide sound. */
export function trailingTag(file: View, at: number): number | undefined {
  const bytes = tagBytes(file, at);
  return bytes !== undefined && at + bytes <= file.length ? bytes : undefined;
}
