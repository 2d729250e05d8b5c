import { reach, toIncoming } from "../api/reach.ts";

/** A line that ended without an answer. */
export interface LineError {
  /** Its place among those that were read. */
  place: number;
  name: string;
  code: string;
  message: string;
  /** Its number in the file, by which its request is called. Absent where it was dropped before it was one. */
  number?: number;
}

/** The bytes that are read from the beginning of a file. */
const READ = 65_536;
/** The lines that are shown. */
const SHOWN = 50;

type Json = Record<string, unknown>;
const toObject = (value: unknown): Json =>
  typeof value === "object" && value !== null ? (value as Json) : {};

/** What its caller called a line, or its number in the file. */
const nameOf = (id: unknown, number: number): string =>
  typeof id === "string" && id !== "" ? id : number > 0 ? `line ${number}` : "";

/** Why a line has no answer, on either surface: what the service found, or the body of a refusal. */
export function errorOf(text: string, place: number): LineError | undefined {
  const line = toObject(JSON.parse(text));
  const { type, error: failed } = toObject(line.result);
  if (type === "succeeded") return undefined;
  const { status_code: status, body: refusal, request_id: request = "" } = toObject(line.response);
  const body = toObject(refusal);
  const inner = toObject(line.error ?? toObject(failed).error ?? body.error ?? {});
  const code = inner.code ?? body.code ?? inner.type ?? status ?? type ?? "";
  const message = inner.message ?? (Array.isArray(body.errors) ? body.errors.join(" ") : "");
  // A file of messages has all lines in their order; one of errors names them, or their requests.
  const number = Number(type === "errored" ? place + 1 : (inner.line ?? String(request).split("/").at(-1)));
  const name = nameOf(line.custom_id, number);
  return { place, name, code: String(code), message: String(message), ...(number > 0 && { number }) };
}

/** The first lines without an answer, from the beginning of the file that has them. */
export async function lineErrors(path: string, signal: AbortSignal): Promise<LineError[]> {
  const headers = { "x-console": "playground", range: `bytes=0-${READ - 1}` };
  const response = await reach(path, { credentials: "same-origin", headers, signal });
  if (!response.ok) throw new Error("The file of errors cannot be read at the moment.");
  const lines = (await toIncoming(response).text()).split("\n");
  // The last line ends with a line feed, or is cut off.
  return lines
    .slice(0, -1)
    .flatMap((line, at) => errorOf(line, at) ?? [])
    .slice(0, SHOWN);
}
