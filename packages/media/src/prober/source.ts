import { probe } from "../probe.ts";
import { openFile } from "../reader.ts";
import type { Probe, ProbeFailure } from "../types.ts";

/** Where the bytes of a file are: in memory, in a file on this machine, or in a text as base64. */
export type MediaSource =
  | Uint8Array
  | {
      /** The path of a file on this machine. */
      path: string;
      /** The range of the file to read: its first byte, and how many. Default: all of it. */
      from?: number;
      length?: number;
    }
  | {
      /** The bytes in base64. */
      base64: string;
    };

/** Probes a source at once, on the calling thread. Throws the file system's errors. */
export function probeSource(source: MediaSource): Probe | ProbeFailure {
  if (source instanceof Uint8Array) return probe(source);
  if ("base64" in source) return probe(Buffer.from(source.base64, "base64"));
  const file = openFile(source.path, source);
  try {
    return probe(file);
  } finally {
    file.close();
  }
}
