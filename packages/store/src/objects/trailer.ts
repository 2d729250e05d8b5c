import type { FileHandle } from "node:fs/promises";

/** The metadata after an object's bytes in its file: in one file, a rename replaces both at once. */
export interface Trailer {
  key: string;
  mediaType: string;
  sha256: string;
  /** The time of the last write, in Unix milliseconds. */
  modified: number;
}

const MARK = Buffer.from("MFOBJECT");
const FOOT = 4 + MARK.length;
const LONGEST = 4_096;

/** Encodes a trailer: JSON, its length in 4 bytes, and a mark. */
export function writeTrailer(trailer: Trailer): Buffer {
  const json = Buffer.from(JSON.stringify(trailer));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([json, length, MARK]);
}

/** Reads the trailer of an open file, and the size of the bytes before it; `undefined` if the file has none. */
export async function readTrailer(handle: FileHandle): Promise<(Trailer & { size: number }) | undefined> {
  const stat = await handle.stat();
  if (!stat.isFile()) return undefined;
  const tail = Buffer.alloc(Math.min(stat.size, LONGEST));
  const { bytesRead } = await handle.read(tail, 0, tail.length, stat.size - tail.length);
  if (bytesRead !== tail.length || tail.length < FOOT || !tail.subarray(-MARK.length).equals(MARK))
    return undefined;
  const length = tail.readUInt32BE(tail.length - FOOT);
  if (length > tail.length - FOOT) return undefined;
  try {
    const trailer = JSON.parse(tail.subarray(-FOOT - length, -FOOT).toString()) as Trailer;
    return { ...trailer, size: stat.size - length - FOOT };
  } catch {
    return undefined;
  }
}
