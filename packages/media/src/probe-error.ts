import type { ProbeFailureCode } from "./types.ts";

/** Ends the reading of a file; `probe` turns it into a failure, so it never leaves the package. */
export class Stop extends Error {
  readonly code: ProbeFailureCode;

  constructor(code: ProbeFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

export const truncated = (what: string): Stop =>
  new Stop("truncated", `The file ends too early: ${what}. Upload the complete file.`);

export const unreadable = (what: string): Stop =>
  new Stop("unreadable_file", `The file cannot be read: ${what}.`);

export const unsupported = (what: string): Stop =>
  new Stop("unsupported_format", `The format of the file is not supported: ${what}.`);
