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
}

/** The longest `custom_id`, in characters. */
const LONGEST = 512;
/** The faults that are shown. */
const SHOWN = 10;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Looks at a file line by line, so that what is wrong is known before it is sent. */
class FileCheck {
  readonly result: CheckedFile = { lines: 0, endpoint: undefined, faults: [], faulty: 0 };
  readonly #names = new Set<string>();
  #number = 0;

  push(text: string): void {
    this.#number += 1;
    if (text.trim() === "") return;
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

/** Reads a file piece by piece: it may be larger than what a page should hold. */
export async function checkFile(file: Blob): Promise<CheckedFile> {
  const check = new FileCheck();
  const decoder = new TextDecoder();
  let rest = "";
  for (const reader = file.stream().getReader(); ; ) {
    const { value, done } = await reader.read();
    const lines = (rest + decoder.decode(value, { stream: !done })).split("\n");
    rest = done ? "" : (lines.pop() ?? "");
    for (const line of lines) check.push(line);
    if (done) return check.result;
  }
}
