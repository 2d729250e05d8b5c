import { MAX_DEPTH, parseBounded } from "../json/bounded.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { stringEnd } from "../json/scan.ts";
import { type Wires, wires } from "../protocols/facts.ts";

// JavaScript rounds integers beyond 2^53, and the ids of many services are that large. In the arguments and results of
// tools, such an integer is therefore raw JSON, which `JSON.stringify` writes unchanged. An engine without raw JSON rounds
// it.

const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON?: (text: string) => Json;
  isRawJSON?: (value: unknown) => boolean;
};

/**
 * Checks whether the value is an integer with more digits than a number keeps. It looks like an object, but must not be
 * copied member by member.
 */
export const isRaw = (value: unknown): boolean => isRawJSON?.(value) === true;

/** The least digits of such an integer. */
const MIN_DIGITS = 16;

/**
 * The value of JSON text that a tool is given or has answered, every digit kept; `undefined` where it is not JSON, or
 * too complex (`isTooComplex`).
 */
export const parseArguments = (text: string): Json | undefined => parsed(text);

/**
 * The value of a wire's JSON text, every digit of arguments and results kept; `undefined` as of arguments. `within`
 * are the protocols whose wire it may be. Default: the library's own.
 */
export const parseWire = (text: string, within: Wires = wires): Json | undefined => parsed(text, within);

function parsed(text: string, within?: Wires): Json | undefined {
  const value = parseBounded(text);
  return value === undefined ? undefined : restoreDigits(value, text, within);
}

/**
 * Restores the digits that parsing `text` to `value` lost. `within`: only in the arguments and results of calls on these
 * wires, since other numbers are read as numbers. Default: everywhere. Changes `value`.
 */
export function restoreDigits<T>(value: T, text: string, within?: Wires): T {
  if (!rawJSON || !holdsLongInteger(text) || within?.toolValueStart.test(text) === false) return value;
  const quoted = quote(text);
  if (quoted === text) return value;
  // Only a long integer is a number in the one value and a string in the other.
  const held = { value } as JsonObject;
  restorer(within)(held, { value: JSON.parse(quoted) as Json }, within === undefined);
  return held.value as T;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/**
 * Checks whether a text has `LONG` digits in a row. Such a row covers every position that is a multiple of `LONG` in its
 * range, so only those positions are examined.
 */
function holdsLongInteger(text: string): boolean {
  for (let at = MIN_DIGITS - 1; at < text.length; at += MIN_DIGITS) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let from = at;
    let to = at + 1;
    while (from > 0 && isDigit(text.charCodeAt(from - 1))) from -= 1;
    while (isDigit(text.charCodeAt(to))) to += 1;
    if (to - from >= MIN_DIGITS) return true;
    at = to - 1;
  }
  return false;
}

/** The text with its long integers in quotes. */
function quote(text: string): string {
  const token = /"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
  const pieces: string[] = [];
  let behind = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const { 0: word, index } = found;
    if (word === '"') token.lastIndex = stringEnd(text, index);
    else {
      pieces.push(text.slice(behind, index), word);
      behind = token.lastIndex;
    }
  }
  pieces.push(text.slice(behind));
  return pieces.join('"');
}

type Container = JsonObject | Json[];
const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null;

type Restore = (node: Container, quoted: Container, inside: boolean, within?: string, depth?: number) => void;

/** Puts the digits of `quoted` into `node`, from where the arguments and results of calls begin. */
function restorer(wires: Wires | undefined): Restore {
  const restore: Restore = (node, quoted, inside, within = "", depth = 0) => {
    if (depth > MAX_DEPTH) return;
    if (Array.isArray(node))
      for (let i = 0; i < node.length; i++) {
        const value = node[i] as Json;
        const other = (quoted as Json[])[i] as Json;
        if (isContainer(value)) restore(value, other as Container, inside, "", depth + 1);
        else if (inside) node[i] = exact(value, other);
      }
    else
      for (const name of Object.keys(node)) {
        const value = node[name] as Json;
        const other = (quoted as JsonObject)[name] as Json;
        if (isContainer(value)) {
          const begins = inside || wires?.isToolValue(node, name, within) === true;
          restore(value, other as Container, begins, name, depth + 1);
        } else if (inside) node[name] = exact(value, other);
      }
  };
  return restore;
}

const exact = (value: Json, quoted: Json): Json =>
  typeof value === "number" && typeof quoted === "string" && !Number.isSafeInteger(value)
    ? (rawJSON?.(quoted) as Json)
    : value;
