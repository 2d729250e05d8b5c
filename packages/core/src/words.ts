import { parseWire } from "./digits.ts";
import { type Json, type JsonObject, put } from "./json.ts";
import { contentKeys } from "./observe.ts";
import { stringEnd } from "./scan.ts";
import type { AnyCodec } from "./translate.ts";

// Most chunks of a stream say what the one before said, with other words in one place. What stands around the words
// need not be read and written anew each time: that was most of what a translated event cost.

/** How often in a row a chunk is remembered that the next turns out not to be similar to. */
const PATIENCE = 4;
/** What a string cannot hold as it is. */
const ESCAPED = /["\\]|[^ -\uffff]/;
/** Stands where the words do. */
export const WORDS = "\u0000words";
const WRITTEN = JSON.stringify(WORDS);

/** Writes chunks that differ from a sample by their words alone, which `WORDS` stands for there. */
export function wordsWriter(sample: object): (words: string) => string {
  const text = JSON.stringify(sample);
  const at = text.lastIndexOf(WRITTEN);
  const [before, after] = [text.slice(0, at), text.slice(at + WRITTEN.length)];
  return (words) => before + JSON.stringify(words) + after;
}

/** Reads the chunks of a stream as `parseWire` does. What it gives may share parts with what it gave before. */
export function chunkReader(codec: AnyCodec): (text: string) => Json | undefined {
  const keys = contentKeys(codec);
  let before = "";
  let after = "";
  let value: Json = null;
  let path: Path | undefined;
  let left = PATIENCE;

  const remember = (text: string, chunk: Json): void => {
    left -= 1;
    path = undefined;
    const start = lastEnd(keys, text);
    if (start === undefined) return;
    before = text.slice(0, start);
    after = text.slice(stringEnd(text, start - 1) - 1);
    value = chunk;
    // A member that stands there twice is found where the parser finds it, or not at all.
    path = pathTo(parseWire(before + WRITTEN.slice(1, -1) + after));
  };

  return (text) => {
    if (path && text.startsWith(before) && text.endsWith(after)) {
      const words = text.slice(before.length, -after.length);
      if (text.length >= before.length + after.length && !ESCAPED.test(words)) {
        left = PATIENCE;
        return withWords(value, path, 0, words);
      }
    }
    const chunk = parseWire(text);
    if (chunk !== undefined && left > 0) remember(text, chunk);
    return chunk;
  };
}

type Path = readonly string[];

/** The way to `WORDS`; nothing where they are nowhere, or in more than one place. */
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

/** The value with other words at the end of the path. What is not on the way is shared. */
function withWords(node: Json, path: Path, depth: number, words: string): Json {
  if (depth === path.length) return words;
  const name = path[depth] as string;
  const inner = withWords((node as JsonObject)[name] as Json, path, depth + 1, words);
  if (Array.isArray(node)) return node.with(Number(name), inner);
  const copy = { ...(node as JsonObject) };
  put(copy, name, inner);
  return copy;
}

/** Behind the last of what a pattern finds. */
function lastEnd(pattern: RegExp, text: string): number | undefined {
  let end: number | undefined;
  pattern.lastIndex = 0;
  while (pattern.test(text)) end = pattern.lastIndex;
  return end;
}
