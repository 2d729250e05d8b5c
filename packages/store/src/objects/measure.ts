import { createHash } from "node:crypto";
import { ObjectFault } from "./fault.ts";
import type { ByteSource } from "./objects.ts";

/** A source of bytes that are counted and hashed while they are stored. */
export interface Measured {
  /** The source's chunks. Throws if there are too many bytes, or not as many as announced. */
  chunks: AsyncIterable<Uint8Array>;
  /** The size and hash of all chunks. To be called once, after the last chunk. */
  result(): { size: number; sha256: string };
  /** Releases a source that was not read to its end. It does not wait, because the next chunk may take long. */
  discard(): void;
}

/** Counts and hashes a source while it is stored. `limit` and `length` are bytes. */
export function measure(source: ByteSource, limit: number, length: number | undefined): Measured {
  const digest = createHash("sha256");
  const most = length === undefined ? limit : Math.min(limit, length);
  const iterator = iterate(source);
  let size = 0;
  let ended = false;
  async function* pass() {
    if (length !== undefined && length > limit) throw new ObjectFault("too_large");
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      size += next.value.byteLength;
      if (size > most) throw new ObjectFault(size > limit ? "too_large" : "length_mismatch");
      digest.update(next.value);
      yield next.value;
    }
    ended = true;
    if (length !== undefined && size < length) throw new ObjectFault("length_mismatch");
  }
  return {
    chunks: pass(),
    result: () => ({ size, sha256: digest.digest("hex") }),
    discard() {
      if (ended) return;
      ended = true;
      // An error while closing does not matter: the source is released because of an earlier one.
      iterator.return?.().catch(() => {});
    },
  };
}

function iterate(source: ByteSource): AsyncIterator<Uint8Array> {
  if (!(source instanceof Uint8Array)) return source[Symbol.asyncIterator]();
  return (async function* () {
    yield source;
  })();
}
