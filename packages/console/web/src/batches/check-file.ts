import { parsed } from "../parsed.ts";

/** A line that the service would not run, as far as its form shows. */
export interface LineFault {
  line: number;
  text: string;
}

/** What is known of a file before it is sent. The service checks it again, and each request when it is run. */
export interface CheckedFile {
  lines: number;
  /** The path of the first line's request. */
  endpoint: string | undefined;
  /** The first faults. */
  faults: LineFault[];
  /** The number of all faults. */
  faulty: number;
  /** The first line that is longer than one may be. The service refuses its file, so nothing behind it was read. */
  tooLong: number | undefined;
}

const MIB = 1024 * 1024;
/** The longest line that the service takes, in bytes. */
export const LONGEST_LINE = 8 * MIB;

/** Why no batch is begun of a file with this line. */
export const tooLongInWords = (line: number): string =>
  `Line ${line} has more than ${LONGEST_LINE / MIB} MiB, the most of a line. No batch is begun of such a file.`;

/** The longest `custom_id`, in characters. */
const LONGEST = 512;
/** The faults that are shown. */
const SHOWN = 10;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Looks at a file line by line, so that what is wrong is known before it is sent. */
class FileCheck {
  readonly result: CheckedFile = {
    lines: 0,
    endpoint: undefined,
    faults: [],
    faulty: 0,
    tooLong: undefined,
  };
  readonly #names = new Set<string>();
  #number = 0;

  /** Checks the next line; undefined is one that is too long. */
  push(text: string | undefined): void {
    this.#number += 1;
    if (text === undefined) this.result.tooLong = this.#number;
    if (text === undefined || text.trim() === "") return;
    this.result.lines += 1;
    const fault = this.#faultOf(parsed(text));
    if (fault === undefined) return;
    this.result.faulty += 1;
    if (this.result.faults.length < SHOWN) this.result.faults.push({ line: this.#number, text: fault });
  }

  #faultOf(line: unknown): string | undefined {
    if (!isObject(line)) return "is no JSON object";
    const { custom_id: name, method, url, body } = line;
    if (typeof url === "string") this.result.endpoint ??= url;
    if (name === undefined) return "custom_id: is missing";
    if (typeof name !== "string" || name === "" || name.length > LONGEST)
      return `custom_id: must be a text of 1 to ${LONGEST} characters`;
    if (this.#names.has(name)) return `custom_id: “${name}” is that of an earlier line`;
    this.#names.add(name);
    if (!isObject(body)) return "body: must be the JSON object of a request";
    if (body.stream === true) return "body.stream: answers of a batch are not streamed";
    if (method !== undefined && method !== "POST") return "method: is not POST";
    if (typeof url !== "string") return "url: is missing";
    return url === this.result.endpoint
      ? undefined
      : `url: is not “${this.result.endpoint}”, as the first line’s is`;
  }
}

const LF = 0x0a;
const CR = 0x0d;
const NOTHING = new Uint8Array();

/** The lines of a file, read piece by piece, as far as the first that is too long: that one is undefined. */
async function* linesOf(file: Blob, longest: number): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  // The line that is not over, and its bytes.
  let text = "";
  let size = 0;
  for (const reader = file.stream().getReader(); ; ) {
    const { value = NOTHING, done } = await reader.read();
    for (let from = 0, end = 0; end >= 0; from = end + 1) {
      end = value.indexOf(LF, from);
      const bytes = value.subarray(from, end < 0 ? value.length : end);
      size += bytes.length;
      // A line may end with both characters, of which neither counts.
      if (size - (bytes.at(-1) === CR ? 1 : 0) > longest) {
        yield undefined;
        return reader.cancel();
      }
      const isOver = done || end >= 0;
      text += decoder.decode(bytes, { stream: !isOver });
      if (!isOver) continue;
      yield text;
      text = "";
      size = 0;
    }
    if (done) return;
  }
}

/** Looks at a file that may be larger than what a page should hold. */
export async function checkFile(file: Blob, longest = LONGEST_LINE): Promise<CheckedFile> {
  const check = new FileCheck();
  for await (const line of linesOf(file, longest)) check.push(line);
  return check.result;
}
