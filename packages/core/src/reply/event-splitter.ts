import { FRAME_LIMIT } from "../stream/frame-limit.ts";
import { MalformedReply } from "../stream/malformed-reply.ts";
import { byteTools } from "./bytes.ts";

const BOUNDARY = /\r\n\r\n|\n\n|\r\r|\r\n\n|\n\r\n/g;
const LINE_END = /[\r\n]/;

/**
 * Splits the bytes of a stream into its events. Their text is latin1, one character for each byte, so that bytes are
 * relayed without decoding.
 */
export class EventSplitter {
  /** The beginning of an incomplete event, in the pieces in which it arrived. */
  #pending: string[] = [];
  /** The length of the pieces. */
  #waiting = 0;
  /** Whether all bytes so far were ASCII. */
  #ascii = true;
  /** The text that is being split, and how much of it was taken. */
  #text = "";
  #from = 0;

  /** Takes bytes as they arrived. Call `next` until it returns nothing before adding more. */
  add(bytes: Uint8Array): void {
    this.#ascii &&= byteTools.isAscii(bytes);
    const text = byteTools.toLatin1(bytes);
    // A long event arrives in many pieces, which are joined only once its end has arrived.
    if (this.#waiting > 0 && !LINE_END.test(text)) this.#wait(text);
    else this.#text = this.#join() + text;
  }

  /** Completes the last event, which some providers send without its empty line. */
  end(): void {
    const rest = this.#join();
    if (rest.trim() !== "") this.#text = `${rest}\n\n`;
  }

  /** The next event with its empty line. `undefined` if it is not complete. */
  next(): string | undefined {
    const from = this.#from;
    BOUNDARY.lastIndex = from;
    if (BOUNDARY.test(this.#text)) {
      this.#from = BOUNDARY.lastIndex;
      return this.#text.slice(from, this.#from);
    }
    if (from < this.#text.length) this.#wait(this.#text.slice(from));
    this.#text = "";
    this.#from = 0;
    return undefined;
  }

  /**
   * Looks at the plain events at the start without taking them: whole, in their usual spelling, each with an object. They
   * can be examined and relayed together.
   */
  plain(isDataOnly: boolean): string {
    return this.#text.slice(0, plainLength(this.#text, isDataOnly));
  }

  /** Takes so many characters of the text: a number of whole events. */
  take(length: number): string {
    this.#from += length;
    return this.#text.slice(this.#from - length, this.#from);
  }

  /** The characters of a text of bytes. */
  decode(text: string): string {
    return this.#ascii ? text : byteTools.decodeLatin1(text);
  }

  /** The number of bytes of a text of characters. */
  lengthOf(text: string): number {
    return this.#ascii ? text.length : byteTools.lengthOf(text);
  }

  #wait(text: string): void {
    this.#pending.push(text);
    this.#waiting += text.length;
    if (this.#waiting > FRAME_LIMIT) throw new MalformedReply("An event of the upstream stream is too long.");
  }

  /** Removes and returns the incomplete event. */
  #join(): string {
    if (this.#waiting === 0) return "";
    const text = this.#pending.join("");
    this.#pending = [];
    this.#waiting = 0;
    return text;
  }
}

/** The length of the plain events at the start of a text. */
function plainLength(text: string, isDataOnly: boolean): number {
  const end = text.lastIndexOf("\n\n") + 2;
  if (end < 2 || text.includes("\r")) return 0;
  for (let from = 0; from < end; ) {
    const data = !isDataOnly && text.startsWith("event:", from) ? text.indexOf("\n", from) + 1 : from;
    const close = text.indexOf("\n\n", from);
    if (!text.startsWith("data: {", data) || text.charCodeAt(close - 1) !== 125) return from;
    // One data line only: a second would have to be joined with the first.
    if (text.indexOf("\n", data) !== close) return from;
    from = close + 2;
  }
  return end;
}
