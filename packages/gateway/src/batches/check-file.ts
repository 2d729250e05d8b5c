import { isUtf8 } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { quote, Refusal } from "../http/refusal.ts";
import type { BatchLimits } from "../ports/limits.ts";
import { type FileLine, LineSplitter } from "./jsonl.ts";
import { NO_OBJECT, parseLine } from "./read-line.ts";

const ALLOWED = "a batch's file has one JSON object a line, in UTF-8";

/** Checks a file piece by piece for faults of the whole file. */
class FileCheck {
  readonly #limits: Pick<BatchLimits, "fileLines" | "line">;
  readonly #splitter = new LineSplitter();
  #count = 0;
  #hasObject = false;

  constructor(limits: Pick<BatchLimits, "fileLines" | "line">) {
    this.#limits = limits;
  }

  /** Takes a piece; returns what is wrong so far. */
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
      this.#hasObject ||= isObjectLine(bytes);
    }
    const { number, pending } = this.#splitter;
    // Limits blank lines as well: they are not among the counted lines, but take as much time.
    if (number - 1 - this.#count > fileLines) return `has more than ${fileLines} empty lines`;
    return pending > longest ? tooLong(number, longest) : undefined;
  }
}

/** Checks whether a line is a JSON object, be it one that is refused when the batch is run. */
function isObjectLine(bytes: Buffer): boolean {
  const parsed = parseLine(bytes);
  return "line" in parsed || parsed.fault.code !== NO_OBJECT;
}

const tooLong = (number: number, longest: number): string =>
  `has more than ${longest} bytes in line ${number}`;

/**
 * Passes on the pieces of a file. Throws a 400 at the first fault of the file as a whole. Faults of single lines are
 * accepted here: such a line ends with an error when the batch is run.
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
    // Lets other requests run between two pieces.
    await setImmediate();
  }
  refuse(check.end());
}
