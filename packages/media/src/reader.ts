import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Random access to the bytes of a file. */
export interface Reader {
  /** Bytes in total. */
  readonly size: number;
  /** Bytes from `offset`; fewer than `length` only where the file ends. The result may be a view. */
  read(offset: number, length: number): Uint8Array;
}

export interface FileReader extends Reader {
  close(): void;
}

/** Reads bytes that are in memory. */
export function readerOf(bytes: Uint8Array): Reader {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

/**
 * Reads a file in place, or a range of it, so that a large video needs a few kilobytes of memory. It reads
 * synchronously: a server uses a prober, which does this in a thread of its own. Throws the file system's errors, and
 * for anything but a regular file.
 */
export function openFile(
  path: string,
  { from = 0, length: most = Number.POSITIVE_INFINITY }: { from?: number; length?: number } = {},
): FileReader {
  // A pipe would keep `open` waiting for its other end, where no deadline can reach it.
  const handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const close = (): void => closeSync(handle);
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) throw new Error(`${path} is not a regular file`);
    const size = Math.max(0, Math.min(most, stat.size - from));
    return {
      size,
      read(offset, count) {
        const length = Math.min(count, size - offset);
        const bytes = new Uint8Array(Math.max(0, length));
        let filled = 0;
        while (filled < length) {
          const read = readSync(handle, bytes, filled, length - filled, from + offset + filled);
          if (read === 0) break;
          filled += read;
        }
        return bytes.subarray(0, filled);
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}
