import { u32 } from "./bits.ts";

type Part = Buffer | number[] | string;

const toBytes = (part: Part): Buffer =>
  typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part);

/** A box of the ISO base media format: length, type, contents. */
export function box(type: string, ...parts: Part[]): Buffer {
  const data = Buffer.concat(parts.map(toBytes));
  return Buffer.concat([u32(data.length + 8), Buffer.from(type, "latin1"), data]);
}

/** A box with a version and flags. */
export function fullBox(type: string, [version, flags]: [number, number], ...parts: Part[]): Buffer {
  return box(type, u32(version * 2 ** 24 + flags), ...parts);
}

export const words = (...values: number[]): Buffer => Buffer.concat(values.map(u32));
