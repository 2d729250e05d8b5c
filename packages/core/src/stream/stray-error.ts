import { isTooComplex } from "../json/bounded.ts";
import { isObject, type Json, parseJson } from "../json/json.ts";

const NAME = /^error:/;
/** The longest line that is held. */
const LONGEST = 65_536;

/**
 * The JSON text of an error that a provider wrote into a stream of events against their rules, so that readers skip it:
 * as a field of its own (`error: {…}`) or without any (`{"error":{…}}`). `text` is a line or an event. Undefined if it is
 * anything else.
 */
export function strayError(text: string): string | undefined {
  const json = text.replace(NAME, "").trim();
  if (!json.startsWith("{") || isTooComplex(json)) return undefined;
  const value = parseJson(json);
  if (!isObject(value) || !(value.error || NAME.test(text))) return undefined;
  return JSON.stringify(asError(value));
}

/** The chunk of an event that is named `error`: its error stands where every protocol looks for it. */
export const asError = (chunk: Json): Json =>
  isObject(chunk) && (chunk.error || chunk.type === "error") ? chunk : { error: chunk };

/**
 * Holds the beginning of a line that may become such an error until its end: the parser of events drops lines of other
 * kinds as soon as they are cut.
 */
export function holdStrayErrors(): (text: string) => string {
  let held = "";
  let isInLine = false;
  return (text) => {
    const all = held + text;
    // What is read mostly ends with a line: a search for both ends of lines would go through all of it.
    const afterFeed = all.slice(all.lastIndexOf("\n") + 1);
    const line = afterFeed.slice(afterFeed.lastIndexOf("\r") + 1);
    const from = all.length - line.length;
    const isHeld = (from > 0 || !isInLine) && line.length <= LONGEST && mayBeError(line);
    held = isHeld ? line : "";
    isInLine = !isHeld && (line !== "" || (from === 0 && isInLine));
    return isHeld ? all.slice(0, from) : all;
  };
}

const mayBeError = (line: string): boolean =>
  line.startsWith("{") || line.startsWith("error:") || (line !== "" && "error:".startsWith(line));
