import { readFileSync } from "node:fs";

/** An invalid configuration. Its message lists the problems, one a line, each with its path. */
export class ConfigError extends Error {}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EISDIR: "is a folder, and not a file",
  EACCES: "cannot be read by this user",
};

/** Reads a file that the operator named. `by` is the setting that named it, for the error. */
export function readText(file: string, by?: string): string {
  try {
    // Some editors write a byte order mark.
    return readFileSync(file, "utf8").replace(/^\ufeff/, "");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const why = WHY[code] ?? `cannot be read${code && ` (${code})`}`;
    throw new ConfigError(`${by === undefined ? "" : `${by}: `}${file}: ${why}`);
  }
}
