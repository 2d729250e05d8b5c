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
  const templates = new ChunkTemplates(codec, within);
  return (text) => templates.read(text);
}

/** The JSON around the words of a stream's chunks. */
export class ChunkTemplates {
  readonly #keys: RegExp;
  readonly #wires: Wires;
  /** The last template: its text before and after the words, its value, and the path to the words in it. */
  #before = "";
  #after = "";
  #value: Json = null;
  #path: Path | undefined;
  #attemptsLeft = MAX_MISSES;

  constructor(codec: AnyProvider, within: Wires) {
    this.#keys = contentKeys(codec);
    this.#wires = within;
  }

  /** The words of a chunk that differs from the last template only by them; undefined for any other. */
  wordsOf(text: string): string | undefined {
    const before = this.#before.length;
    const end = text.length - this.#after.length;
    if (!this.#path || end < before) return undefined;
    // Comparing slices takes a tenth of what `startsWith` and `endsWith` take for a long text.
    if (text.slice(0, before) !== this.#before || text.slice(end) !== this.#after) return undefined;
    const words = text.slice(before, end);
    return ESCAPED.test(words) ? undefined : words;
  }

  /** The chunk that a text holds, undefined if it is no JSON. `words` are those that `wordsOf` found in it. */
  read(text: string, words = this.wordsOf(text)): Json | undefined {
    if (words !== undefined && this.#path) {
      this.#attemptsLeft = MAX_MISSES;
      return withWords(this.#value, this.#path, 0, words);
    }
    const chunk = parseWire(text, this.#wires);
    if (chunk !== undefined && this.#attemptsLeft > 0) this.#remember(text, chunk);
    return chunk;
  }

  #remember(text: string, chunk: Json): void {
    this.#attemptsLeft -= 1;
    this.#path = undefined;
    const start = lastEnd(this.#keys, text);
    if (start === undefined) return;
    this.#before = text.slice(0, start);
    this.#after = text.slice(stringEnd(text, start - 1) - 1);
    this.#value = chunk;
    // Of a member that occurs twice, the parser keeps one: if that is not the one with the words, there is no path.
    this.#path = pathTo(parseWire(this.#before + WRITTEN.slice(1, -1) + this.#after, this.#wires));
  }
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
