import { randomUUID } from "node:crypto";
import { restoreDigits, SEAL_MARK, type Wires } from "@manifold-gateway/core/codec";
import { type Encoding, headOf, isLazyObject, LargeString, type LazyJson } from "./lazy-json.ts";

/** A JSON text without its long strings, and those strings. */
export interface Skeleton {
  text: string;
  largeStrings: readonly LargeString[];
}

/** The size of a body, in bytes, from which its long strings are cut out. */
const LARGE = 32 * 1024;
/** The size of a string, in bytes, from which it is cut out. */
export const LONG = 16 * 1024;
/** The distance between searched places: every string of `LONG` bytes spans at least one. */
const STEP = LONG / 2;
/** The size limit of a seal, in bytes: longer strings are not searched for one. */
export const SEAL_LIMIT = 256 * 1024;
const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
/** Characters that may follow a backslash in media: a slash, `n` and `r`. */
const LIGHT: ReadonlySet<number> = new Set([47, 110, 114]);

let standInPrefix: string | undefined;

/**
 * The prefix of the placeholder for a string that was cut out. It is random, so that no client can send it, and made
 * for the first body: some runtimes have no random numbers while a program loads.
 */
function standIn(): string {
  standInPrefix ??= `${randomUUID()}:`;
  return standInPrefix;
}

/** A skeleton with the whole text: nothing is cut out. */
export const wholeOf = (bytes: Buffer, encoding: Encoding): Skeleton => ({
  text: bytes.toString(encoding),
  largeStrings: [],
});

/**
 * Cuts out strings that are as long as media, since decoding and parsing would read and copy each of their
 * characters. Their contents are not checked, so a control character, which JSON forbids, is accepted there.
 *
 * Each cut goes from one quote to the next, so the remaining quotes still pair up. Cutting between two strings,
 * instead of within one, would leave invalid JSON.
 */
export function skeletonOf(bytes: Buffer, encoding: Encoding): Skeleton {
  if (bytes.length < LARGE) return wholeOf(bytes, encoding);
  const largeStrings: LargeString[] = [];
  let text = "";
  let behind = 0;
  for (let at = STEP; at < bytes.length; ) {
    const end = bytes.indexOf(QUOTE, at);
    if (end < 0) break;
    const start = bytes.lastIndexOf(QUOTE, at - 1);
    if (start >= behind && end - start > LONG && isPlain(bytes, start, end)) {
      text += `${bytes.toString(encoding, behind, start)}"${standIn()}${largeStrings.length}"`;
      largeStrings.push(new LargeString(bytes.subarray(start + 1, end), encoding));
      behind = end + 1;
    }
    at = Math.max(end + 1, at + STEP);
  }
  return { text: text + bytes.toString(encoding, behind), largeStrings };
}

/**
 * Checks whether the text between two quotes is a value that can be cut out: not a member's name, without a seal, and
 * with no escapes but those of media.
 */
function isPlain(bytes: Buffer, start: number, end: number): boolean {
  let slashes = 0;
  while (bytes[start - 1 - slashes] === BACKSLASH) slashes += 1;
  if (slashes % 2 === 1) return false;
  let after = end + 1;
  while ((bytes[after] as number) <= 32) after += 1;
  if (bytes[after] === COLON) return false;
  const inside = bytes.subarray(start + 1, end);
  if (inside.length < SEAL_LIMIT && inside.includes(SEAL_MARK)) return false;
  const slash = inside.indexOf(BACKSLASH);
  return slash < 0 || (looksLikeMedia(headOf(inside)) && isLightlyEscaped(inside, slash));
}

/** Checks for escapes of slashes and line ends only, which some clients write in media. */
function isLightlyEscaped(inside: Buffer, from: number): boolean {
  for (let at = from; at < inside.length; at++)
    if (inside[at] === BACKSLASH && !LIGHT.has(inside[++at] as number)) return false;
  return true;
}

/** Parses a skeleton and puts the large strings back into their places, not decoded. */
export function parseSkeleton({ text, largeStrings }: Skeleton, protocols: Wires): LazyJson {
  const put = (node: LazyJson): LazyJson => {
    if (typeof node === "string")
      return node.startsWith(standIn())
        ? (largeStrings[Number(node.slice(standIn().length))] as LargeString)
        : node;
    if (Array.isArray(node)) for (const [i, item] of node.entries()) node[i] = put(item);
    else if (isLazyObject(node))
      for (const name of Object.keys(node)) node[name] = put(node[name] as LazyJson);
    return node;
  };
  const value = restoreDigits(JSON.parse(text) as LazyJson, text, protocols);
  return largeStrings.length > 0 ? put(value) : value;
}

/** The size, in bytes, from which bytes are sent from where they are instead of being copied. */
export const COPIED = 128 * 1024;

/** Puts the large strings back into a skeleton's text; returns pieces if some of them are too large to copy. */
export function filled(text: string, { largeStrings }: Skeleton): string | Uint8Array[] {
  if (largeStrings.length === 0) return text;
  const pieces: Uint8Array[] = [];
  let short: Buffer[] = [];
  for (const [i, piece] of text.split(new RegExp(`(?<=")${standIn()}(\\d+)(?=")`)).entries()) {
    const bytes = i % 2 === 0 ? Buffer.from(piece) : (largeStrings[Number(piece)] as LargeString).bytes;
    if (bytes.length < COPIED) short.push(bytes);
    else {
      pieces.push(Buffer.concat(short), bytes);
      short = [];
    }
  }
  return [...pieces, Buffer.concat(short)];
}

/** Matches members that hold base64 without a marker such as `;base64,`. */
function bareMedia({ files }: Wires): RegExp {
  const names = [...files].flatMap(([name, form]) =>
    form === "base64" || form === "typedBase64" ? [name] : [],
  );
  return new RegExp(`"(?:${names.join("|")})"\\s*:\\s*"${standIn()}(\\d+)"`, "g");
}

/** Counts the bytes of a skeleton that are text: all but long strings of media. */
export function textOf({ text, largeStrings }: Skeleton, protocols: Wires): number {
  if (largeStrings.length === 0) return text.length;
  const bare = new Set(Array.from(text.matchAll(bareMedia(protocols)), ([, index]) => Number(index)));
  const isText = ({ head }: LargeString, index: number): boolean =>
    !bare.has(index) && !head.includes(";base64,");
  return largeStrings.filter(isText).reduce((bytes, inline) => bytes + inline.bytes.length, text.length);
}

const MEDIA = /;base64,|^[A-Za-z0-9+/_=-]{256}|^(?:[A-Za-z0-9+/_=-]{60,76}\r?\n){3}/;
const looksLikeMedia = (head: string): boolean => MEDIA.test(head);
