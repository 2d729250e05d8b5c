import { readFileSync } from "node:fs";

/** An invalid configuration. Its message lists the problems, one a line, each with its path. */
export class ConfigError extends Error {}

/** Reads a file that the operator named. `by` is the setting that named it, for the error. */
export function readText(file: string, by?: string): string {
  try {
    // Some editors write a byte order mark.
    return readFileSync(file, "utf8").replace(/^\ufeff/, "");
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === "ENOENT" ? "no such file" : "cannot be read";
    throw new ConfigError(`${by === undefined ? "" : `${by}: `}${file}: ${why}`);
  }
}
