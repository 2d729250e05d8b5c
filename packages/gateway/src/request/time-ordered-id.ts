import { randomFillSync } from "node:crypto";

/** The number of random bytes in an id, and of the digits that they are written with. */
const BYTES = 10;
const DIGITS = 2 * BYTES;
/** The number of ids for which the system is asked at one time. */
const IDS = 256;

/** The hexadecimal digits of the time. */
const TIME_DIGITS = 12;
/** An id with its time, by which it sorts. */
export const TIME_ORDERED_ID = /^([0-9a-f]{12})[0-9a-f]{20}$/;

const random = Buffer.alloc(IDS * BYTES);
/** The digits of the ids to come, from `offset` on. */
let digits = "";
let offset = 0;
/** The digits of the last time. */
let written = { at: 0, digits: "0".repeat(TIME_DIGITS) };

/**
 * Creates an id of 32 hexadecimal digits that begins with the time: ids of neighbouring times are neighbours in an
 * index, so a commit changes one of its pages instead of many.
 */
export function timeOrderedId(at: number): string {
  if (offset === digits.length) {
    digits = randomFillSync(random).toString("hex");
    offset = 0;
  }
  const begin = offset;
  offset += DIGITS;
  if (at !== written.at) written = { at, digits: at.toString(16).padStart(TIME_DIGITS, "0") };
  return written.digits + digits.slice(begin, offset);
}
