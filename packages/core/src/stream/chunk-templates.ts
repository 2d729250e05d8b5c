import type { AnyProvider } from "../codec/codec.ts";
import { type Json, type JsonObject, put } from "../json/json.ts";
import { stringEnd } from "../json/scan.ts";
import { type Wires, wires } from "../protocols/facts.ts";
import { parseWire } from "./long-integers.ts";
import { contentKeys } from "./observe.ts";

// Most chunks of a stream differ from the one before by the words in one place. The JSON around the words is parsed and
// written once and reused: doing it for each chunk was most of the cost of a translated event.

/** Misses in a row after which chunks are no longer kept as templates. */
const MAX_MISSES = 4;
/** Characters that a JSON string must escape, or that end it. */
const ESCAPED = /["\\]|[^ -\uffff]/;
/** Placeholder for the words. */
export const WORDS = "\u0000words";
const WRITTEN = JSON.stringify(WORDS);

/** Writes chunks that differ from a sample only by the words in the place of `WORDS`. */
export function wordsWriter(sample: object): (words: string) => string {
  const text = JSON.stringify(sample);
  const at = text.lastIndexOf(WRITTEN);
  const [before, after] = [text.slice(0, at), text.slice(at + WRITTEN.length)];
  return (words) => before + JSON.stringify(words) + after;
}

/** Reads the chunks of a stream as `parseWire` does. A chunk may share objects with earlier ones. */
export function chunkReader(codec: AnyProvider, within: Wires = wires): (text: string) => Json | undefined {
  const keys = contentKeys(codec);
  let before = "";
  let after = "";
  let value: Json = null;
  let path: Path | undefined;
  let attemptsLeft = MAX_MISSES;

  const remember = (text: string, chunk: Json): void => {
    attemptsLeft -= 1;
    path = undefined;
    const start = lastEnd(keys, text);
    if (start === undefined) return;
    before = text.slice(0, start);
    after = text.slice(stringEnd(text, start - 1) - 1);
    value = chunk;
    // Of a member that occurs twice, the parser keeps one: if that is not the one with the words, there is no path.
    path = pathTo(parseWire(before + WRITTEN.slice(1, -1) + after, within));
  };

  return (text) => {
    if (path && text.startsWith(before) && text.endsWith(after)) {
      const words = text.slice(before.length, -after.length);
      if (text.length >= before.length + after.length && !ESCAPED.test(words)) {
        attemptsLeft = MAX_MISSES;
        return withWords(value, path, 0, words);
      }
    }
    const chunk = parseWire(text, within);
    if (chunk !== undefined && attemptsLeft > 0) remember(text, chunk);
    return chunk;
  };
}

type Path = readonly string[];

/** The path to `WORDS`; undefined unless it occurs exactly once. */
function pathTo(value: Json | undefined): Path | undefined {
  const found: Path[] = [];
  const walk = (node: Json | undefined, way: Path): void => {
    if (node === WORDS) found.push(way);
    else if (typeof node === "object" && node !== null)
      for (const [name, inner] of Object.entries(node)) walk(inner, [...way, name]);
  };
  walk(value, []);
  return found.length === 1 ? found[0] : undefined;
}

/** A copy of the value with other words at the end of the path. Everything off the path is shared. */
function withWords(node: Json, path: Path, depth: number, words: string): Json {
  if (depth === path.length) return words;
  const name = path[depth] as string;
  const inner = withWords((node as JsonObject)[name] as Json, path, depth + 1, words);
  if (Array.isArray(node)) return node.with(Number(name), inner);
  const copy = { ...(node as JsonObject) };
  put(copy, name, inner);
  return copy;
}

/** The end of the last match of a pattern. */
function lastEnd(pattern: RegExp, text: string): number | undefined {
  let end: number | undefined;
  pattern.lastIndex = 0;
  while (pattern.test(text)) end = pattern.lastIndex;
  return end;
}
