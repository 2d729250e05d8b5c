import type { TextEncoding } from "../http/exchange.ts";
import type { KeptAnswer } from "../ports/answer-cache.ts";

/** The longest answer that is cached, in characters. */
export const LONGEST_ANSWER = 1024 * 1024;

/** A copy of a stream's text, which is cached once the stream is complete. */
export class StreamCopy {
  #parts: string[] = [];
  #length = 0;
  #encoding: TextEncoding = "utf8";

  add(text: string, encoding: TextEncoding = "utf8"): void {
    this.#encoding = encoding;
    this.#length += text.length;
    if (this.#length > LONGEST_ANSWER) this.#parts = [];
    else this.#parts.push(text);
  }

  /** The whole text; undefined if it is too long. */
  get whole(): Pick<KeptAnswer, "body" | "encoding"> | undefined {
    return this.#length > LONGEST_ANSWER
      ? undefined
      : { body: this.#parts.join(""), encoding: this.#encoding };
  }
}
