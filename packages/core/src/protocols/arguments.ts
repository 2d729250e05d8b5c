import type { Lose } from "../ir/loss.ts";
import { isObject, type Json, type JsonObject } from "../json/json.ts";
import { isRaw, parseArguments } from "../stream/long-integers.ts";

/** The only member of the object that replaces arguments which are not an object: their text, or their value. */
const RAW = "$manifold_raw";
const VALUE = "$manifold_value";
/** Runs of digits that may exceed the precision of a number. */
const LONG = /\d{16,}/g;

/**
 * JSON text of arguments as the object that some wires want. Text that holds no object comes back from
 * `fromArguments` unchanged; what an object cannot keep is reported under `path`.
 */
export function toArguments(text: string, path: string, lose: Lose): JsonObject {
  if (text.trim() === "") return {};
  const value = parseArguments(text);
  if (value === undefined) return { [RAW]: text };
  if (value === null) {
    lose(`${path}/arguments`, "approximated", "became an empty object");
    return {};
  }
  const digits = text.match(LONG);
  if (digits) {
    // Arguments may be megabytes of ids: searching the text for each of them would take minutes.
    const kept = new Set(JSON.stringify(value).match(LONG));
    if (!digits.every((run) => kept.has(run)))
      lose(`${path}/arguments`, "approximated", "a number has more digits than an object can hold");
  }
  return isObject(value) && !isRaw(value) ? value : { [VALUE]: value };
}

/** The JSON text of arguments that came as an object. */
export function fromArguments(value: Json | undefined): string {
  if (!isObject(value)) return JSON.stringify(value ?? {});
  const [key, second] = Object.keys(value);
  if (second === undefined && key === RAW && typeof value[RAW] === "string") return value[RAW];
  if (second === undefined && key === VALUE) return JSON.stringify(value[VALUE]);
  return JSON.stringify(value);
}

/**
 * The same as JSON text, which is not touched where it is that of an object. Most servers parse the arguments of past
 * calls for a template, and would refuse every later request of a conversation in which a call was cut short.
 */
export function toObjectText(text: string): string {
  if (text.trim() === "") return "{}";
  const value = parseArguments(text);
  if (isObject(value) && !isRaw(value)) return text;
  return JSON.stringify(value === undefined ? { [RAW]: text } : { [VALUE]: value });
}

/** The text that became the text of an object. */
export const fromObjectText = (text: string): string =>
  text.startsWith('{"$manifold_') ? fromArguments(parseArguments(text)) : text;
