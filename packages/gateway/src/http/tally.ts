import type { BodyLimits } from "./body.ts";
import { tooComplex, tooDeep, tooMuchText } from "./shared.ts";
import { LONG } from "./skeleton.ts";

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const [SLASH, N, R] = [47, 110, 114];
/** Characters that count outside of strings. */
const MARKS = new Uint8Array(256);
for (const mark of '"{[]},:') MARKS[mark.charCodeAt(0)] = 1;
/** The distance for which a string is walked byte by byte before its end is searched for. */
const STRIDE = 64;
const ARRAY = -1;
/** From how many values, or bytes of text, on a body takes more than a few milliseconds to parse. */
const HEAVY = { values: 10_000, text: 1024 * 1024 };

/**
 * Counts what a JSON text holds while its bytes arrive, and refuses what is over a limit: parsed, a few bytes of text
 * take many times their memory. Knows no syntax: of what is no JSON it counts something, and parsing refuses it.
 */
export class Tally {
  readonly #limits: BodyLimits;
  /** Members so far of each object around the present place; `ARRAY` for an array. */
  readonly #around: number[] = [];
  #values: number;
  /** Bytes beside strings as long as media. */
  #text = 0;
  #isInString = false;
  /** The next byte belongs to a backslash before it. */
  #isEscaped = false;
  /** The present string could be media: it has no escapes but those of line ends and slashes. */
  #isPlain = true;
  /** Of the present string, and what of that is no text yet. */
  #length = 0;
  #pending = 0;

  /** `values` are those of texts before, which count towards the same limit. */
  constructor(limits: BodyLimits, values = 0) {
    this.#limits = limits;
    this.#values = values;
  }

  /** Members and array items so far. */
  get values(): number {
    return this.#values;
  }

  /** The part that has arrived takes long to parse. */
  get isHeavy(): boolean {
    return this.#values > HEAVY.values || this.#text > HEAVY.text;
  }

  /** Takes the next bytes. */
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

  /** The text between two strings; returns where the next one begins. */
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

  /** The inside of a string; returns where it ends. */
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

  /** The end of a string, at `at`, with its last bytes. */
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
