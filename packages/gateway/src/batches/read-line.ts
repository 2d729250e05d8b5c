import { memberText } from "@manifold-gateway/core";
import { isObject, type JsonObject } from "@manifold-gateway/core/codec";
import type { Batch, NewLine } from "@manifold-gateway/store";
import { bodyLimits } from "../http/body.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { Tally } from "../http/tally.ts";
import type { LineFault } from "./forms/form.ts";
import { formOf } from "./forms/index.ts";
import type { FileLine } from "./jsonl.ts";

/** The longest `custom_id`, in characters. */
const LONGEST = 512;
/** What a `custom_id` has to be, to come back as it was sent. */
export const CUSTOM_ID = `a text of 1 to ${LONGEST} characters, without U+0000 and unpaired surrogates`;
/** Checks whether a value is a `custom_id`. */
export const isCustomId = (id: unknown): id is string =>
  typeof id === "string" && id !== "" && id.length <= LONGEST && id.isWellFormed() && !id.includes("\0");

const fault = (code: string, message: string, param?: string): LineFault => ({
  ...{ code, message },
  ...(param !== undefined && { param }),
});

/** The text of a line, without the mark that editors write at the beginning of a file. */
const textOf = (bytes: Buffer): string => bytes.toString("utf8").replace(/^\ufeff/, "");

/** The code of a line without a JSON object. */
export const NO_OBJECT = "invalid_json_line";

/** The limits of a line: those of the body in it, which is checked by itself when the line is run. */
const limits = { ...bodyLimits, depth: bodyLimits.depth + 1, values: bodyLimits.values + 100 };

/** Parses a line. Returns the fault of one without a JSON object, and of one that takes too long to parse. */
export function parseLine(bytes: Buffer): { line: JsonObject } | { fault: LineFault } {
  try {
    new Tally(limits).step(bytes);
    const value: unknown = JSON.parse(textOf(bytes));
    if (isObject(value)) return { line: value as JsonObject };
  } catch (error) {
    if (error instanceof Refusal) return { fault: fault(error.code, error.message) };
  }
  return { fault: fault(NO_OBJECT, "The line is no JSON object.") };
}

function faultOf(
  line: JsonObject,
  batch: Pick<Batch, "surface" | "endpoint">,
  isTaken: boolean,
): LineFault | undefined {
  const { custom_id: id } = line;
  const form = formOf(batch.surface);
  if (!isCustomId(id))
    return fault(
      "invalid_custom_id",
      `custom_id: ${id === undefined ? "is missing" : `${quote(id)} is not accepted`}; it must be ${CUSTOM_ID}.`,
      "custom_id",
    );
  if (isTaken)
    return fault("duplicate_custom_id", `custom_id: ${quote(id)} is that of an earlier line.`, "custom_id");
  const body = line[form.body];
  if (!isObject(body))
    return fault("invalid_body", `${form.body}: must be the JSON object of a request.`, form.body);
  if (body.stream === true)
    return fault("invalid_body", `${form.body}.stream: answers of a batch are not streamed.`, "stream");
  return form.faultOf(line, batch);
}

/** Reads a line of a batch's file. `earlier` are the `custom_id`s of the lines before it, to which its own is added. */
export function readLine(
  { number, start, bytes }: FileLine,
  batch: Pick<Batch, "surface" | "endpoint">,
  earlier: Set<string>,
): NewLine {
  const place = { number, start, length: bytes.length };
  const parsed = parseLine(bytes);
  if ("fault" in parsed) return { ...place, answer: JSON.stringify(parsed.fault) };
  const { line } = parsed;
  const { custom_id: id } = line;
  const customId =
    typeof id === "string" ? id.slice(0, LONGEST).toWellFormed().replaceAll("\0", "") : undefined;
  const found = faultOf(line, batch, typeof id === "string" && earlier.has(id));
  // Names that are too long are refused anyway, and not kept: one may be as long as a line.
  if (typeof id === "string" && id.length <= LONGEST) earlier.add(id);
  return {
    ...place,
    ...(customId !== undefined && { customId }),
    ...(found && { answer: JSON.stringify(found) }),
  };
}

/** The body of a line's request, byte for byte as in the file. */
export function bodyOf(bytes: Buffer, surface: string): string {
  const body = memberText(textOf(bytes), formOf(surface).body);
  if (body === undefined) throw new Error("The line of a batch has no body.");
  return body;
}
