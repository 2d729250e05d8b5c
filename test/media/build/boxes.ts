import { ascii, type Bytes, be, cat } from "./bytes.ts";

export const box = (type: string, ...parts: Uint8Array[]): Bytes => {
  const body = cat(...parts);
  return cat(be(4, body.length + 8), ascii(type), body);
};

/** A box with a version and flags. */
export const full = (type: string, version: number, flags: number, ...parts: Uint8Array[]): Bytes =>
  box(type, be(1, version), be(3, flags), ...parts);
