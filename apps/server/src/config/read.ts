import { readFileSync } from "node:fs";

/** An invalid configuration. Its message lists the problems, one a line, each with its path. */
export class ConfigError extends Error {}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EISDIR: "is a folder, and not a file",
  EACCES: "cannot be read by this user",
};

const WHY_NOT_MADE: Readonly<Record<string, string>> = {
  ENOENT: "the folder around it does not exist",
  ENOTDIR: "what should be the folder around it is a file",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "the disk can only be read",
  ENOSPC: "the disk is full",
};

/** Why the system refused to make a file or a folder. */
export function whyNotMade(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return WHY_NOT_MADE[code ?? ""] ?? `the system refuses (${code ?? message})`;
}

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
