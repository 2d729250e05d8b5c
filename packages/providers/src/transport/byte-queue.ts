import { joinBytes } from "./bytes.ts";

/** The number of neighbours that are joined if they have less than so many bytes on average. */
const TOGETHER = 1_024;
const SHORT = 128;

/**
 * Bytes that have arrived and wait for their reader. Very many short pieces are joined: each takes a hundred bytes beside
 * its own, so that a body in chunks of one byte would take a hundred times its size.
 */
export class ByteQueue {
  /** The number of bytes. */
  size = 0;
  #pieces: Uint8Array[] = [];
  /** The last pieces that were not looked at, and their bytes. */
  #loose = 0;
  #looseBytes = 0;

  /** The number of pieces in memory. */
  get pieces(): number {
    return this.#pieces.length;
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.size += piece.length;
    this.#loose += 1;
    this.#looseBytes += piece.length;
    if (this.#loose < TOGETHER) return;
    if (this.#looseBytes < TOGETHER * SHORT)
      this.#pieces.push(joinBytes(this.#pieces.splice(-TOGETHER), this.#looseBytes));
    this.#loose = 0;
    this.#looseBytes = 0;
  }

  /** Takes all bytes, in one piece. */
  take(): Uint8Array {
    const pieces = this.#pieces;
    const bytes = pieces.length === 1 ? (pieces[0] as Uint8Array) : joinBytes(pieces, this.size);
    this.#pieces = [];
    this.size = 0;
    this.#loose = 0;
    this.#looseBytes = 0;
    return bytes;
  }
}
