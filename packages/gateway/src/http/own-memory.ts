/** Buffers that were made for one body and that nobody else knows of. */
const own = new WeakSet<ArrayBufferLike>();

/** Notes that the memory of these bytes is ours alone, where they take all of it. */
export function noteOwn(bytes: Uint8Array): void {
  if (bytes.buffer.byteLength === bytes.byteLength) own.add(bytes.buffer);
}

/**
 * Gives memory back here and now, if it is ours: the bytes are none from then on. Left to the garbage collector, each
 * 60 MB of large bodies make it go through the whole heap, which costs more than all else that is done for them.
 */
export function giveBack({ buffer }: Uint8Array): void {
  if (own.delete(buffer)) (buffer as ArrayBuffer).transfer(0);
}
