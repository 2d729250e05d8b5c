import { truncated, unreadable } from "./probe-error.ts";
import type { Reader } from "./reader.ts";

/** The cost that one file may have: about one step for each field that is read. Real files stay below a tenth. */
export const STEPS = 4_000_000;

const PAGE = 4096;
/** Steps of one page: fetching and searching it takes about as long as reading this many fields. */
const PAGE_STEPS = 16;

/** The bytes of a file by pages, and what is left of the steps that its reading may take. */
export class Pages {
  readonly reader: Reader;
  #remaining: number;
  #page: Uint8Array = new Uint8Array();
  #start = 0;

  constructor(reader: Reader, steps: number) {
    this.reader = reader;
    this.#remaining = steps;
  }

  /** Every read passes here and no loop of a parser runs without reading, so that every parser ends. */
  spend(steps: number): void {
    this.#remaining -= steps;
    if (this.#remaining < 0) throw unreadable("it takes more steps than any file of its kind should");
  }

  byte(at: number): number {
    return this.page(at)[at - this.#start]!;
  }

  /** The page that holds an offset inside the file. */
  page(at: number): Uint8Array {
    if (at < this.#start || at >= this.#start + this.#page.length) {
      this.spend(PAGE_STEPS);
      this.#start = at - (at % PAGE);
      this.#page = this.reader.read(this.#start, PAGE);
      // The file was shortened after it was opened.
      if (at >= this.#start + this.#page.length) throw truncated("it became shorter while it was read");
    }
    return this.#page;
  }
}

/**
 * A range of a file: fields are read at offsets from its start, and never past its end. What lies past the end of
 * the file is reported as truncated, what lies past the end of an inner range as unreadable.
 */
export class View {
  readonly length: number;
  readonly start: number;
  readonly #pages: Pages;

  constructor(pages: Pages, start = 0, length: number = pages.reader.size) {
    this.#pages = pages;
    this.start = start;
    this.length = length;
  }

  /** The end of the range, from the start of the file. */
  get end(): number {
    return this.start + this.length;
  }

  #need(at: number, length: number): void {
    if (at >= 0 && at + length <= this.length) return;
    const end = this.start + at + length;
    if (end > this.#pages.reader.size)
      throw truncated(`${end} bytes are announced, ${this.#pages.reader.size} came`);
    throw unreadable("a length inside it contradicts another");
  }

  #number(at: number, length: number, little: boolean): number {
    this.#pages.spend(1);
    this.#need(at, length);
    let value = 0;
    for (let index = 0; index < length; index++) {
      const offset = little ? length - 1 - index : index;
      value = value * 256 + this.#pages.byte(this.start + at + offset);
    }
    return value;
  }

  u8(at: number): number {
    return this.#number(at, 1, false);
  }

  u16(at: number, little = false): number {
    return this.#number(at, 2, little);
  }

  u24(at: number, little = false): number {
    return this.#number(at, 3, little);
  }

  u32(at: number, little = false): number {
    return this.#number(at, 4, little);
  }

  i32(at: number, little = false): number {
    return this.#number(at, 4, little) | 0;
  }

  /** Inexact above 2^53, where it is past the end of every file anyway. */
  u64(at: number, little = false): number {
    return this.#number(at, 8, little);
  }

  /** Bytes as characters of the same codes. */
  text(at: number, length: number): string {
    let text = "";
    for (let index = 0; index < length; index++) text += String.fromCharCode(this.u8(at + index));
    return text;
  }

  /** Checks whether these characters stand at an offset; false where the range is too short for them. */
  has(text: string, at = 0): boolean {
    return at + text.length <= this.length && this.text(at, text.length) === text;
  }

  /** The first offset of a byte, from an offset on, or undefined. */
  find(byte: number, from: number): number | undefined {
    this.#pages.spend(1);
    for (let at = this.start + from; at < this.end; ) {
      const page = this.#pages.page(at);
      const offset = at % PAGE;
      const found = page.indexOf(byte, offset);
      if (found >= 0) return at + found - offset < this.end ? at + found - offset - this.start : undefined;
      at += page.length - offset;
    }
    return undefined;
  }

  /** A range inside this one; without a length, all that is left. */
  slice(at: number, length: number = this.length - at): View {
    this.#pages.spend(1);
    this.#need(at, Math.max(length, 0));
    return new View(this.#pages, this.start + at, Math.max(length, 0));
  }

  /** Spends steps for work other than reading. */
  spend(steps: number): void {
    this.#pages.spend(steps);
  }
}
