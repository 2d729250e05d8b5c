import { randomFillSync } from "node:crypto";

/** Random bytes of an id. */
const BYTES = 10;

/** Random bytes, taken from the system for many ids at a time. */
const random = Buffer.alloc(256 * BYTES);
let taken = random.length;

/**
 * A new id of 32 hexadecimal digits that begins with the time: neighbours in time are neighbours in an index, and
 * a commit touches one page of it instead of many.
 */
export function timeOrderedId(at: number): string {
  if (taken === random.length) {
    randomFillSync(random);
    taken = 0;
  }
  const digits = random.toString("hex", taken, taken + BYTES);
  taken += BYTES;
  return at.toString(16).padStart(12, "0") + digits;
}
