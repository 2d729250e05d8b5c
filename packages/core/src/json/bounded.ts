import { type Json, parseJson } from "./json.ts";
import { exceeds } from "./scan.ts";

/** The deepest nesting that is read: no real value is deeper, and a much deeper one cannot be written again. */
export const MAX_DEPTH = 256;
/**
 * The most objects, lists and members of objects that are read: each takes up to fifty times its text in memory. The
 * log probabilities of a very long answer are a million.
 */
const MAX_VALUES = 2_000_000;

/**
 * Checks whether JSON text is nested deeper than 256 levels, or has more than two million objects, lists and members; a
 * short text cannot be.
 */
export const isTooComplex = (text: string): boolean =>
  text.length > 2 * MAX_DEPTH && exceeds(text, MAX_DEPTH, MAX_VALUES);

/** The value of JSON text of a server; `undefined` where it is not JSON, or too complex. */
export const parseBounded = (text: string): Json | undefined =>
  isTooComplex(text) ? undefined : parseJson(text);
