import type { Machine } from "@manifold-gateway/core/codec";
import { joinBytes } from "../transport/bytes.ts";
import { crc32 } from "./crc32.ts";

/** One message of a stream in `application/vnd.amazon.eventstream`. */
export interface BinaryFrame {
  /** The text headers, by name; headers of other types are not needed. */
  headers: Readonly<Record<string, string>>;
  payload: Uint8Array;
}

/** The bytes are not a stream of such messages, or a message is cut short: nothing after them can be trusted. */
export class BrokenFrame extends Error {}

/** The bytes of the prelude (total length, header length, their checksum), and of a checksum. */
const PRELUDE = 12;
const CHECKSUM = 4;
const TEXT = 7;
/** The bytes of a header's value, by its type; `measured` types begin with their length instead. */
const fixed: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };
const measured: ReadonlySet<number> = new Set([6, TEXT]);

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Reads messages from bytes, wherever these are split: a length, headers and a payload with checksums. Throws
 * `BrokenFrame` for a message that is broken, longer than `limit` bytes or cut short, after returning those before it.
 */
export function readBinaryFrames(limit = 4 * 1024 * 1024): Machine<Uint8Array, BinaryFrame> {
  let parts: Uint8Array[] = [];
  let size = 0;
  /** The bytes needed for the next step: the prelude, then the whole message. */
  let wanted = PRELUDE;
  let broken: BrokenFrame | undefined;

  const join = (): Uint8Array => {
    if (parts.length > 1) parts = [joinBytes(parts, size)];
    return parts[0] as Uint8Array;
  };
  /** Takes the complete messages. An error in the next one is kept for the following call. */
  const take = (frames: BinaryFrame[]): void => {
    while (size >= wanted) {
      const bytes = join();
      const length = lengthOf(bytes, limit);
      if (length > size) {
        wanted = length;
        return;
      }
      frames.push(readFrame(bytes.subarray(0, length)));
      parts = size > length ? [bytes.subarray(length)] : [];
      size -= length;
      wanted = PRELUDE;
    }
  };
  return {
    step(bytes) {
      if (broken) throw broken;
      const frames: BinaryFrame[] = [];
      if (bytes.length === 0) return frames;
      parts.push(bytes);
      size += bytes.length;
      try {
        take(frames);
      } catch (error) {
        broken = error as BrokenFrame;
        if (frames.length === 0) throw broken;
      }
      return frames;
    },
    end() {
      if (broken) throw broken;
      if (size > 0) throw new BrokenFrame("the stream ended within a message");
      return [];
    },
  };
}

/** The length of the message that begins with these bytes. */
function lengthOf(bytes: Uint8Array, limit: number): number {
  const view = viewOf(bytes);
  const length = view.getUint32(0);
  const headers = view.getUint32(4);
  if (crc32(bytes.subarray(0, 8)) !== view.getUint32(8)) throw new BrokenFrame("the lengths are damaged");
  if (length < PRELUDE + headers + CHECKSUM) throw new BrokenFrame("the lengths contradict each other");
  if (length > limit) throw new BrokenFrame(`a message has more than ${limit} bytes`);
  return length;
}

function readFrame(bytes: Uint8Array): BinaryFrame {
  const view = viewOf(bytes);
  const end = bytes.length - CHECKSUM;
  if (crc32(bytes.subarray(0, end)) !== view.getUint32(end)) throw new BrokenFrame("a message is damaged");
  const start = PRELUDE + view.getUint32(4);
  return { headers: readHeaders(bytes.subarray(PRELUDE, start)), payload: bytes.subarray(start, end) };
}

function readHeaders(bytes: Uint8Array): Record<string, string> {
  const view = viewOf(bytes);
  const text = new TextDecoder();
  const headers: Record<string, string> = {};
  try {
    for (let at = 0; at < bytes.length; ) {
      const named = at + 1 + view.getUint8(at);
      const name = text.decode(bytes.subarray(at + 1, named));
      const type = view.getUint8(named);
      const hasLength = measured.has(type);
      const from = named + 1 + (hasLength ? 2 : 0);
      const length = hasLength ? view.getUint16(named + 1) : fixed[type];
      if (length === undefined || from + length > bytes.length) throw new RangeError();
      if (type === TEXT) headers[name] = text.decode(bytes.subarray(from, from + length));
      at = from + length;
    }
  } catch {
    throw new BrokenFrame("the headers of a message cannot be read");
  }
  return headers;
}
