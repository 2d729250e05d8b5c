import { createHash } from "node:crypto";
import { ObjectFault } from "./fault.ts";
import type { ByteSource } from "./objects.ts";

/** Bytes on their way into a store, counted and hashed as they pass. */
export interface Measured {
  /** One chunk for each pull. Throws where there are too many bytes, or other than announced. */
  chunks: AsyncIterable<Uint8Array>;
  /** The result that has passed. To be called once, after the last chunk. */
  result(): { size: number; sha256: string };
  /** Lets the source go where nothing read it to its end, without waiting: it may be busy with its next chunk. */
  discard(): void;
}

/** Watches a source while it is stored. `limit` and `length` are bytes. */
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
      // A source that also fails to close has nothing to add to why it was let go.
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
