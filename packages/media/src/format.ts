import type { Finding } from "./types.ts";
import type { View } from "./view.ts";

/** One file format: how its files begin, and what the bytes say. */
export interface Format {
  is(file: View): boolean;
  /** Throws a `ProbeError` for a file that is cut, contradicts itself or takes too many steps. */
  read(file: View): Finding;
}
