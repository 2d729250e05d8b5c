/** A line of a file: its number, from 1; its offset in bytes; and its bytes without the line end. */
export interface FileLine {
  number: number;
  start: number;
  bytes: Buffer;
}

const LF = 0x0a;
const CR = 0x0d;

/** Splits a file into lines, piece by piece. Lines with nothing but spaces are counted and left out. */
export class LineSplitter {
  /** The pieces of the incomplete line. */
  #rest: Buffer[] = [];
  #size = 0;
  #start = 0;
  #number = 0;

  /** The number of bytes of the incomplete line. */
  get pending(): number {
    return this.#size;
  }

  /** The number of the incomplete line. */
  get number(): number {
    return this.#number + 1;
  }

  /** The lines that end in these bytes. */
  *push(piece: Uint8Array): Generator<FileLine> {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let from = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, from)) {
      const line = this.#take(bytes.subarray(from, end), 1);
      if (line) yield line;
      from = end + 1;
    }
    if (from < bytes.length) {
      // Copied, because the piece may be a view of memory that is reused.
      this.#rest.push(Buffer.from(bytes.subarray(from)));
      this.#size += bytes.length - from;
    }
  }

  /** The last line, if it has no line end. */
  *end(): Generator<FileLine> {
    const line = this.#take(Buffer.alloc(0), 0);
    if (line) yield line;
  }

  #take(last: Buffer, ending: number): FileLine | undefined {
    const whole = this.#rest.length === 0 ? last : Buffer.concat([...this.#rest, last]);
    this.#rest = [];
    this.#size = 0;
    const start = this.#start;
    this.#start += whole.length + ending;
    this.#number += 1;
    const bytes = whole.at(-1) === CR ? whole.subarray(0, -1) : whole;
    return isBlank(bytes) ? undefined : { number: this.#number, start, bytes };
  }
}

/** Spaces, and the bytes of the mark that editors write at the beginning of a file. */
const SPACES: readonly number[] = [0x20, 0x09, CR, 0xef, 0xbb, 0xbf];
const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => SPACES.includes(byte));
