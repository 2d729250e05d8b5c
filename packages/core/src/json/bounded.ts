import { type Json, parseJson } from "./json.ts";
import { depthOf } from "./scan.ts";

/** The deepest nesting that is read: no real value is deeper, and a much deeper one cannot be written again. */
export const MAX_DEPTH = 256;

/** Checks whether JSON text is nested deeper than 256 levels; a short text cannot be. */
export const isTooDeep = (text: string): boolean => text.length > 2 * MAX_DEPTH && depthOf(text) > MAX_DEPTH;

/** The value of JSON text of a server; `undefined` where it is not JSON, or nested deeper than 256 levels. */
export const parseBounded = (text: string): Json | undefined =>
  isTooDeep(text) ? undefined : parseJson(text);
