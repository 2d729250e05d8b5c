import { readFileSync } from "node:fs";

/** A configuration that cannot be used. Its message lists what is wrong, one finding a line, each with its path. */
export class ConfigError extends Error {}

/** The text of a file that the operator names, `by` what where that is to be said. */
export function readText(file: string, by?: string): string {
  try {
    // Some editors put a mark before the text.
    return readFileSync(file, "utf8").replace(/^\ufeff/, "");
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === "ENOENT" ? "no such file" : "cannot be read";
    throw new ConfigError(`${by === undefined ? "" : `${by}: `}${file}: ${why}`);
  }
}
