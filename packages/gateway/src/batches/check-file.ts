import { isUtf8 } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { quote, Refusal } from "../http/refusal.ts";
import type { BatchLimits } from "../ports/limits.ts";
import { type FileLine, LineSplitter } from "./jsonl.ts";
import { parseLine } from "./read-line.ts";

const ALLOWED = "a batch's file has one JSON object a line, in UTF-8";

/** Finds what is wrong with a whole file, line by line. */
class FileCheck {
  readonly #limits: Pick<BatchLimits, "fileLines" | "line">;
  readonly #splitter = new LineSplitter();
  #count = 0;
  #hasObject = false;

  constructor(limits: Pick<BatchLimits, "fileLines" | "line">) {
    this.#limits = limits;
  }

  /** What is wrong so far. */
  push(piece: Uint8Array): string | undefined {
    return this.#look(this.#splitter.push(piece));
  }

  end(): string | undefined {
    const fault = this.#look(this.#splitter.end());
    if (fault !== undefined || this.#hasObject) return fault;
    return this.#count === 0 ? "is empty" : "has no line that is a JSON object";
  }

  #look(lines: Iterable<FileLine>): string | undefined {
    const { fileLines, line: longest } = this.#limits;
    for (const { number, bytes } of lines) {
      this.#count += 1;
      if (this.#count > fileLines) return `has more than ${fileLines} lines`;
      if (bytes.length > longest) return tooLong(number, longest);
      if (!isUtf8(bytes)) return `is no text in UTF-8 at line ${number}`;
      this.#hasObject ||= parseLine(bytes) !== undefined;
    }
    const { number, pending } = this.#splitter;
    // They cost as much time as others, and are not counted among them.
    if (number - 1 - this.#count > fileLines) return `has more than ${fileLines} empty lines`;
    return pending > longest ? tooLong(number, longest) : undefined;
  }
}

const tooLong = (number: number, longest: number): string =>
  `has more than ${longest} bytes in line ${number}`;

/**
 * The pieces of a file, as long as it is what a batch reads: throws a 400 where it is not. A file of which only some
 * lines are wrong is accepted: those lines end by errors of their own.
 */
export async function* checkedFile(
  pieces: Iterable<Uint8Array>,
  name: string,
  limits: Pick<BatchLimits, "fileLines" | "line">,
): AsyncGenerator<Uint8Array> {
  const check = new FileCheck(limits);
  const refuse = (fault: string | undefined): void => {
    if (fault === undefined) return;
    const { fileLines, line } = limits;
    throw new Refusal(
      "unusable_file",
      `file: ${quote(name)} ${fault}; ${ALLOWED}, at most ${fileLines} of at most ${line} bytes.`,
      { param: "file" },
    );
  };
  for (const piece of pieces) {
    refuse(check.push(piece));
    yield piece;
    // Other requests have their turn between two pieces.
    await setImmediate();
  }
  refuse(check.end());
}
