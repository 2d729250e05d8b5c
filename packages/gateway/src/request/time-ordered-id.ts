import { randomFillSync } from "node:crypto";

/** The number of random bytes in an id. */
const BYTES = 10;

/** Random bytes for many ids, to ask the system less often. */
const random = Buffer.alloc(256 * BYTES);
let offset = random.length;

/**
 * Creates an id of 32 hexadecimal digits that begins with the time: ids of neighbouring times are neighbours in an
 * index, so a commit changes one of its pages instead of many.
 */
export function timeOrderedId(at: number): string {
  if (offset === random.length) {
    randomFillSync(random);
    offset = 0;
  }
  const digits = random.toString("hex", offset, offset + BYTES);
  offset += BYTES;
  return at.toString(16).padStart(12, "0") + digits;
}
