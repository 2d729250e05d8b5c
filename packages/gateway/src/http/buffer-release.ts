/** Buffers that were allocated for one body and are referenced nowhere else. */
const exclusive = new WeakSet<ArrayBufferLike>();

/** Records that only we use the memory of these bytes, if they fill their buffer. */
export function markExclusive(bytes: Uint8Array): void {
  if (bytes.buffer.byteLength === bytes.byteLength) exclusive.add(bytes.buffer);
}

/**
 * Frees memory at once if only we use it: the bytes become empty. Left to the garbage collector, each 60 MB of large
 * bodies would cause a pass over the whole heap, which costs more than all other work for them.
 */
export function releaseBuffer({ buffer }: Uint8Array): void {
  if (exclusive.delete(buffer)) (buffer as ArrayBuffer).transfer(0);
}
