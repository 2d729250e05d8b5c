import { type PartHead, readPartHead } from "./disposition.ts";
import { Refusal } from "./refusal.ts";

/** Receives the parts of a form. Places are bytes from the beginning of the body. */
export interface PartReader {
  /** A part begins; `from` is where its boundary does. */
  begin(head: PartHead, from: number): void;
  /** Some of its contents. */
  write(bytes: Uint8Array): void;
  /** The part is over: its contents are from `start` to `end`, its boundary ends before the next part. */
  end(start: number, end: number): void;
}

const BOUNDARY = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i;
/** The most parts of a form, and bytes of the head of one. */
const MOST_PARTS = 256;
const MOST_HEAD = 16 * 1024;

const LINE = Buffer.from("\r\n");
const HEAD_END = Buffer.from("\r\n\r\n");
const CLOSE = { headers: { connection: "close" } };

const invalid = (text: string): Refusal => new Refusal("invalid_form", text, CLOSE);

/** The boundary in the content type of a form. Throws a 400 if it has none. */
export function boundaryOf(type: string): string {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined)
    throw invalid("The content type of the form has no boundary of 1 to 70 characters.");
  return boundary;
}

/**
 * Reads a multipart form piece by piece, with no more than a head and a boundary in memory. It takes only forms that
 * every server reads alike: nothing stands before the first boundary or after the last.
 */
export class Multipart {
  readonly #parts: PartReader;
  /** The bytes that end a part. */
  readonly #delimiter: Buffer;
  /** The bytes that are not read yet. */
  #rest: Buffer<ArrayBufferLike> = LINE;
  /** Where they begin. The first boundary has no line end before it; one is put there, so that all are found alike. */
  #at = -LINE.length;
  #state: "preamble" | "delimiter" | "head" | "contents" | "epilogue" = "preamble";
  /** Where the boundary of the current part and its contents begin. */
  #from = 0;
  #start = 0;
  #count = 0;
  #last = 0;

  constructor(type: string, parts: PartReader) {
    this.#delimiter = Buffer.from(`\r\n--${boundaryOf(type)}`);
    this.#parts = parts;
  }

  /** Where the last boundary begins, once the form is over. */
  get last(): number {
    return this.#last;
  }

  /** Takes the next bytes. Throws a 400 at the first fault. */
  push(bytes: Uint8Array): void {
    const { buffer, byteOffset, byteLength } = bytes;
    const piece = Buffer.from(buffer, byteOffset, byteLength);
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    while (this.#step());
  }

  /** The form is over. Throws a 400 if it broke off. */
  end(): void {
    if (this.#state !== "epilogue") throw invalid("The multipart form ends before its last boundary.");
  }

  /** Reads on; false if more bytes are needed for it. */
  #step(): boolean {
    switch (this.#state) {
      case "preamble":
        return this.#first();
      case "delimiter":
        return this.#afterDelimiter();
      case "head":
        return this.#head();
      case "contents":
        return this.#contents();
      case "epilogue":
        return this.#epilogue();
    }
  }

  #take(length: number): void {
    this.#rest = this.#rest.subarray(length);
    this.#at += length;
  }

  #first(): boolean {
    const { length } = this.#delimiter;
    if (this.#rest.length < length) return false;
    if (!this.#rest.subarray(0, length).equals(this.#delimiter))
      throw invalid("The request body is not a multipart form: it does not begin with its boundary.");
    this.#from = 0;
    this.#take(length);
    this.#state = "delimiter";
    return true;
  }

  /** A boundary is followed by the head of the next part, or by two dashes at the end of the form. */
  #afterDelimiter(): boolean {
    if (this.#rest.length < 2) return false;
    const next = this.#rest.toString("latin1", 0, 2);
    if (next !== "\r\n" && next !== "--") throw invalid("A boundary of the multipart form is not a line.");
    this.#take(2);
    this.#last = this.#from;
    this.#state = next === "--" ? "epilogue" : "head";
    if (this.#state === "head" && ++this.#count > MOST_PARTS)
      throw invalid(`The form has more than ${MOST_PARTS} fields.`);
    return true;
  }

  #head(): boolean {
    const end = this.#rest.indexOf(HEAD_END);
    if (end > MOST_HEAD || (end < 0 && this.#rest.length > MOST_HEAD))
      throw invalid(`The head of a part of the form has more than ${MOST_HEAD} bytes.`);
    if (end < 0) return false;
    const head = readPartHead(this.#rest.toString("latin1", 0, end));
    if ("fault" in head) throw invalid(`A part of the multipart form has ${head.fault}.`);
    this.#take(end + HEAD_END.length);
    this.#start = this.#at;
    this.#state = "contents";
    this.#parts.begin(head, this.#from);
    return true;
  }

  #contents(): boolean {
    const end = this.#rest.indexOf(this.#delimiter);
    if (end < 0) {
      // A boundary may be split between two pieces.
      const sure = this.#rest.length - this.#delimiter.length + 1;
      if (sure > 0) {
        this.#parts.write(this.#rest.subarray(0, sure));
        this.#take(sure);
      }
      return false;
    }
    if (end > 0) this.#parts.write(this.#rest.subarray(0, end));
    this.#take(end);
    this.#parts.end(this.#start, this.#at);
    this.#from = this.#at + LINE.length;
    this.#take(this.#delimiter.length);
    this.#state = "delimiter";
    return true;
  }

  #epilogue(): boolean {
    if (this.#rest.length > 0 && !/^[\r\n]{1,4}$/.test(this.#rest.toString("latin1", 0, 5)))
      throw invalid("The multipart form goes on after its last boundary.");
    this.#take(this.#rest.length);
    return false;
  }
}
