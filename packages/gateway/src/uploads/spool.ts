import { randomUUID } from "node:crypto";
import { readSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MediaSource } from "@manifold-gateway/media";
import type { Pieces } from "@manifold-gateway/providers";
import { removeLeftovers, UPLOAD } from "./leftovers.ts";

/** The bytes up to which a spool is kept in memory. */
const IN_MEMORY = 256 * 1024;
/** The bytes of a piece that is read. Divisible by three, so that pieces of base64 join without padding. */
const PIECE = 48 * 1024;

/** A range of bytes. */
export interface Span {
  from: number;
  length: number;
}

/**
 * Bytes that are kept while their request runs: in memory if they are few, otherwise in a file that only this user can
 * read.
 */
export class Spool {
  #pieces: Uint8Array[] = [];
  #size = 0;
  #file: { path: string; handle: FileHandle } | undefined;
  #isClosed = false;

  get size(): number {
    return this.#size;
  }

  /** Adds bytes, which may be changed once the promise is fulfilled. */
  async append(bytes: Uint8Array): Promise<void> {
    this.#size += bytes.length;
    if (!this.#file && this.#size <= IN_MEMORY) {
      this.#pieces.push(Uint8Array.from(bytes));
      return;
    }
    try {
      if (!this.#file) {
        const folder = tmpdir();
        void removeLeftovers(folder, Date.now());
        const path = join(folder, `${UPLOAD}${randomUUID()}`);
        this.#file = { path, handle: await open(path, "wx+", 0o600) };
        const before = Buffer.concat(this.#pieces);
        this.#pieces = [];
        if (before.length > 0) await this.#file.handle.appendFile(before);
      }
      await this.#file.handle.appendFile(bytes);
    } finally {
      // The request ended while the file was being written.
      if (this.#isClosed) await this.#remove();
    }
  }

  /** The bytes of a range, read synchronously: the system still has them in memory, because they were just written. */
  read(from: number, length: number): Uint8Array {
    if (this.#isClosed) throw new Error("The upload has been released.");
    if (!this.#file) {
      if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)];
      return (this.#pieces[0] ?? new Uint8Array()).subarray(from, from + length);
    }
    const bytes = new Uint8Array(length);
    const count = readSync(this.#file.handle.fd, bytes, 0, length, from);
    return bytes.subarray(0, count);
  }

  /** A range in pieces, each converted by `convert`. */
  pieces(
    { from, length }: Span,
    convert: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes,
  ): Iterable<Uint8Array> {
    const take = function* (this: Spool): Generator<Uint8Array> {
      for (let at = from; at < from + length; at += PIECE) {
        const bytes = this.read(at, Math.min(PIECE, from + length - at));
        if (bytes.length === 0) throw new Error("The upload became shorter.");
        yield convert(bytes);
      }
    };
    return { [Symbol.iterator]: take.bind(this) };
  }

  /** A range as a source for a prober. */
  source({ from, length }: Span): MediaSource {
    return this.#file ? { path: this.#file.path, from, length } : this.read(from, length);
  }

  /** Removes the bytes. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#pieces = [];
    void this.#remove();
  }

  async #remove(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    if (!file) return;
    await file.handle.close().catch(() => {});
    // A file that cannot be removed now is removed by `removeLeftovers`.
    await rm(file.path, { force: true }).catch(() => {});
  }
}

/** Pieces of several sources as one body. */
export const joined = (parts: readonly { length: number; pieces: Iterable<Uint8Array> }[]): Pieces => ({
  length: parts.reduce((sum, { length }) => sum + length, 0),
  *[Symbol.iterator]() {
    for (const { pieces } of parts) yield* pieces;
  },
});
