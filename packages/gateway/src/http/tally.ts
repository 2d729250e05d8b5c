import type { BodyLimits } from "./body.ts";
import { tooComplex, tooDeep, tooMuchText } from "./body-refusals.ts";
import { LONG } from "./skeleton.ts";

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const [SLASH, N, R] = [47, 110, 114];
/** Characters that matter outside of strings. */
const MARKS = new Uint8Array(256);
for (const mark of '"{[]},:') MARKS[mark.charCodeAt(0)] = 1;
/** The bytes of a string that are read one by one before its end is searched for. */
const STRIDE = 64;
const ARRAY = -1;
/** The number of values, or of bytes of text, from which a body takes more than a few milliseconds to parse. */
const HEAVY = { values: 10_000, text: 1024 * 1024 };

/**
 * Counts the contents of a JSON text on arrival and refuses it over a limit, because a few bytes of text can take
 * many times their memory once parsed. It does not check the syntax: invalid JSON gets some count, and parsing
 * refuses it.
 */
export class Tally {
  readonly #limits: BodyLimits;
  /** The members counted in each object around the current position; `ARRAY` for an array. */
  readonly #around: number[] = [];
  #values: number;
  /** Bytes outside of strings that are as long as media. */
  #text = 0;
  #isInString = false;
  /** The next byte completes an escape. */
  #isEscaped = false;
  /** The current string could be media: it has no escapes other than those of line ends and slashes. */
  #isPlain = true;
  /** The length of the current string, and the bytes of it that do not count as text yet. */
  #length = 0;
  #pending = 0;

  /** `values` were counted in earlier texts that share the limit. */
  constructor(limits: BodyLimits, values = 0) {
    this.#limits = limits;
    this.#values = values;
  }

  /** The members and array items counted so far. */
  get values(): number {
    return this.#values;
  }

  /** The part that has arrived is slow to parse. */
  get isHeavy(): boolean {
    return this.#values > HEAVY.values || this.#text > HEAVY.text;
  }

  /** Counts the next bytes. */
  step(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = 0; at < bytes.length; )
      at = this.#isInString ? this.#string(bytes, at) : this.#structure(bytes, at);
    if (this.#isInString && !this.#isPlain) {
      this.#text += this.#pending;
      this.#pending = 0;
    }
    if (this.#text > this.#limits.text) throw tooMuchText(this.#limits.text);
  }

  /** Counts the text between two strings. Returns the position after it. */
  #structure(bytes: Buffer, from: number): number {
    let at = from;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (MARKS[byte] === 0) continue;
      if (byte === QUOTE) {
        this.#isInString = true;
        this.#isPlain = true;
        this.#text += at + 1 - from;
        return at + 1;
      }
      if (byte === COMMA) this.#comma();
      else if (byte === COLON) this.#member();
      else if (byte === 123 || byte === 91) this.#open(byte);
      else this.#around.pop();
    }
    this.#text += at - from;
    return at;
  }

  #open(byte: number): void {
    if (this.#around.length === this.#limits.depth) throw tooDeep(this.#limits.depth);
    this.#around.push(byte === 123 ? 0 : ARRAY);
    if (byte !== 123) this.#value();
  }

  #comma(): void {
    if (this.#around.at(-1) === ARRAY) this.#value();
  }

  #member(): void {
    const members = (this.#around.at(-1) ?? 0) + 1;
    if (members > this.#limits.members)
      throw tooComplex(`has an object of more than ${this.#limits.members} members`);
    if (this.#around.length > 0) this.#around[this.#around.length - 1] = members;
    this.#value();
  }

  #value(): void {
    this.#values += 1;
    if (this.#values > this.#limits.values)
      throw tooComplex(`has more than ${this.#limits.values} members and array items`);
  }

  /** Counts the inside of a string. Returns the position after it. */
  #string(bytes: Buffer, from: number): number {
    let at = from;
    if (this.#isEscaped) this.#escape(bytes[at++] as number);
    let slash = -1;
    while (at < bytes.length) {
      const near = Math.min(bytes.length, at + STRIDE);
      let byte = 0;
      while (at < near) {
        byte = bytes[at++] as number;
        if (byte === QUOTE || byte === BACKSLASH) break;
      }
      if (byte === QUOTE) return this.#close(at, at - from);
      if (byte === BACKSLASH) {
        if (at < bytes.length) this.#escape(bytes[at++] as number);
        else this.#isEscaped = true;
      } else {
        if (slash < at) slash = indexOf(bytes, BACKSLASH, at);
        at = Math.min(slash, indexOf(bytes, QUOTE, at));
      }
    }
    this.#length += at - from;
    this.#pending += at - from;
    return at;
  }

  /** Counts the last bytes of a string, which ends at `at`. */
  #close(at: number, bytes: number): number {
    if (!this.#isPlain || this.#length + bytes <= LONG) this.#text += this.#pending + bytes;
    this.#isInString = false;
    this.#length = 0;
    this.#pending = 0;
    return at;
  }

  #escape(byte: number): void {
    this.#isEscaped = false;
    if (byte !== SLASH && byte !== N && byte !== R) this.#isPlain = false;
  }
}

function indexOf(bytes: Buffer, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at < 0 ? bytes.length : at;
}
