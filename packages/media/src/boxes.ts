import { unreadable } from "./probe-error.ts";
import type { View } from "./view.ts";

/** A box of an ISO base media file (MP4, QuickTime, HEIF): a four-letter type and what is in it. */
export interface Box {
  type: string;
  body: View;
  /** Where it begins, from the start of the range it is in. */
  at: number;
}

/** The cost of a box beside its bytes, so that a file holds some tens of thousands of them at most. */
const BOX_STEPS = 50;

/** The length of the zero word that ends some lists in QuickTime files. */
const LIST_END = 4;

/** The boxes of a range, one after the other. Each must lie inside the range. */
export function* boxes(range: View): Generator<Box> {
  for (let at = 0; at < range.length; ) {
    if (range.length - at === LIST_END && range.u32(at) === 0) return;
    range.spend(BOX_STEPS);
    const short = range.u32(at);
    const type = range.text(at + 4, 4);
    const header = short === 1 ? 16 : 8;
    const length = short === 0 ? range.length - at : short === 1 ? range.u64(at + 8) : short;
    if (length < header) throw unreadable(`its box "${printable(type)}" has a length of ${length} bytes`);
    yield { type, body: range.slice(at, length).slice(header), at };
    at += length;
  }
}

/** The first box of a type. */
export function box(range: View, type: string): View | undefined {
  for (const one of boxes(range)) if (one.type === type) return one.body;
  return undefined;
}

/** The box at the end of a path of types, each inside the one before. */
export function boxAt(range: View, ...path: string[]): View | undefined {
  let found: View | undefined = range;
  for (const type of path) found = found && box(found, type);
  return found;
}

/** The version of a box that has one. */
export const versionOf = (body: View): number => body.u8(0);

/** The flags of a box that has a version. */
export const flagsOf = (body: View): number => body.u24(1);

export const printable = (text: string): string => text.replace(/[^ -~]/g, ".");

/** Files name a handful of brands. */
const BRANDS = 64;

/** The brands of a file, the major one first; none for early QuickTime files. */
export function brandsOf(file: View): string[] {
  if (!file.has("ftyp", 4)) return [];
  const body = box(file, "ftyp");
  if (!body) return [];
  const brands = [body.text(0, 4)];
  const end = Math.min(body.length, 8 + 4 * BRANDS);
  for (let at = 8; at + 4 <= end; at += 4) brands.push(body.text(at, 4));
  return brands;
}
