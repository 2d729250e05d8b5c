import type { ProbeFailureCode } from "./types.ts";

/** Ends the reading of a file; `probe` turns it into a failure, so it never leaves the package. */
export class ProbeError extends Error {
  readonly code: ProbeFailureCode;

  constructor(code: ProbeFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

export const truncated = (reason: string): ProbeError =>
  new ProbeError("truncated", `The file ends too early: ${reason}. Upload the complete file.`);

export const unreadable = (reason: string): ProbeError =>
  new ProbeError("unreadable_file", `The file cannot be read: ${reason}.`);

export const unsupported = (reason: string): ProbeError =>
  new ProbeError("unsupported_format", `The format of the file is not supported: ${reason}.`);
