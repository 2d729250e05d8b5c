import { joinBytes } from "./bytes.ts";

/** The number of neighbours that are joined if together they have less than so many bytes. */
const TOGETHER = 1_024;
const FEW = 128 * TOGETHER;

/**
 * Bytes that have arrived and wait for their reader. Very many short pieces are joined: each takes a hundred bytes beside
 * its own, so that a body in chunks of one byte would take a hundred times its size.
 */
export class ByteQueue {
  /** The number of bytes. */
  size = 0;
  #pieces: Uint8Array[] = [];
  /** The number of last pieces, and the bytes before them. */
  #last = 0;
  #before = 0;

  /** The number of pieces in memory. */
  get pieces(): number {
    return this.#pieces.length;
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.size += piece.length;
    if (++this.#last < TOGETHER) return;
    const bytes = this.size - this.#before;
    if (bytes < FEW) this.#pieces.push(joinBytes(this.#pieces.splice(-TOGETHER), bytes));
    this.#last = 0;
    this.#before = this.size;
  }

  /** Takes all bytes, in one piece. */
  take(): Uint8Array {
    const pieces = this.#pieces;
    const bytes = pieces.length === 1 ? (pieces[0] as Uint8Array) : joinBytes(pieces, this.size);
    this.#pieces = [];
    this.size = this.#last = this.#before = 0;
    return bytes;
  }
}
