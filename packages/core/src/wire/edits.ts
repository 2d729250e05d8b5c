import { isObject, type JsonObject } from "../json/json.ts";
import type { Edits } from "../json/splice.ts";

/** Requests usage of every stream of chat completions, by which the stream is counted. */
export function streamEdits(value: JsonObject): Edits {
  if (value.stream !== true) return {};
  const options = isObject(value.stream_options) ? value.stream_options : {};
  return options.include_usage === true ? {} : { stream_options: { ...options, include_usage: true } };
}

/**
 * Converts two spellings that the SDKs' helpers of generate-content produce but the vendor's endpoint does not accept:
 * texts in place of contents.
 */
export function plainTextEdits(value: JsonObject): Edits {
  const edits: Edits = {};
  if (typeof value.contents === "string")
    edits.contents = [{ role: "user", parts: [{ text: value.contents }] }];
  for (const name of ["systemInstruction", "system_instruction"])
    if (typeof value[name] === "string") edits[name] = { parts: [{ text: value[name] }] };
  return edits;
}
