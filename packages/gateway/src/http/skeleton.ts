import { randomUUID } from "node:crypto";
import { filesOfAny, keepDigits, SEAL_MARK } from "@manifold-gateway/core/codec";
import { type Encoding, headOf, isLazyObject, LargeString, type LazyJson } from "./lazy-json.ts";

/** A JSON text without its long strings, and what stood there. */
export interface Skeleton {
  text: string;
  inlines: readonly LargeString[];
}

/** From what length on a body is looked at for something to leave out, in bytes. */
const LARGE = 32 * 1024;
/** From what length on a string is left out, in bytes. */
export const LONG = 16 * 1024;
/** Every string that long covers a place that is looked at. */
const STEP = LONG / 2;
/** Bytes that no seal is longer than: what is longer is not searched for one. */
export const SEAL_LIMIT = 256 * 1024;
const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
/** Characters that may follow a backslash in media: a slash, `n` and `r`. */
const LIGHT: ReadonlySet<number> = new Set([47, 110, 114]);

let made: string | undefined;

/**
 * Begins what stands for a string that was left out; random, so that no client can have sent it. Made for the first
 * body: some runtimes have nothing random while a program is loaded.
 */
function standIn(): string {
  made ??= `${randomUUID()}:`;
  return made;
}

/** The whole text: nothing is left out. */
export const wholeOf = (bytes: Buffer, encoding: Encoding): Skeleton => ({
  text: bytes.toString(encoding),
  inlines: [],
});

/**
 * Leaves out strings as long as media: to decode and to parse one looks at each of its characters, and copies it.
 * What is in them is not looked at, so a control character, which JSON does not allow, is let through there.
 *
 * What is cut out stands between two quotes and has none inside, so that the quotes left behind pair as before: a
 * piece between two strings, instead of in one, leaves an outline that is no JSON.
 */
export function skeletonOf(bytes: Buffer, encoding: Encoding): Skeleton {
  if (bytes.length < LARGE) return wholeOf(bytes, encoding);
  const inlines: LargeString[] = [];
  let text = "";
  let behind = 0;
  for (let at = STEP; at < bytes.length; ) {
    const end = bytes.indexOf(QUOTE, at);
    if (end < 0) break;
    const start = bytes.lastIndexOf(QUOTE, at - 1);
    if (start >= behind && end - start > LONG && isPlain(bytes, start, end)) {
      text += `${bytes.toString(encoding, behind, start)}"${standIn()}${inlines.length}"`;
      inlines.push(new LargeString(bytes.subarray(start + 1, end), encoding));
      behind = end + 1;
    }
    at = Math.max(end + 1, at + STEP);
  }
  return { text: text + bytes.toString(encoding, behind), inlines };
}

/** Checks whether a plain string, and no member's name, stands between two quotes. */
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

/** Of media some clients escape the slashes, and the ends of its lines. */
function isLightlyEscaped(inside: Buffer, from: number): boolean {
  for (let at = from; at < inside.length; at++)
    if (inside[at] === BACKSLASH && !LIGHT.has(inside[++at] as number)) return false;
  return true;
}

/** The value of an outline, with what was left out in its place. */
export function parseSkeleton({ text, inlines }: Skeleton): LazyJson {
  const put = (node: LazyJson): LazyJson => {
    if (typeof node === "string")
      return node.startsWith(standIn())
        ? (inlines[Number(node.slice(standIn().length))] as LargeString)
        : node;
    if (Array.isArray(node)) for (const [i, item] of node.entries()) node[i] = put(item);
    else if (isLazyObject(node))
      for (const name of Object.keys(node)) node[name] = put(node[name] as LazyJson);
    return node;
  };
  const value = keepDigits(JSON.parse(text) as LazyJson, text);
  return inlines.length > 0 ? put(value) : value;
}

/** From what length on bytes are sent from where they stand, instead of being copied to what is around them. */
export const COPIED = 128 * 1024;

/** A text that an outline was made into, with everything in it again: in pieces where some of it is long. */
export function filled(text: string, { inlines }: Skeleton): string | Uint8Array[] {
  if (inlines.length === 0) return text;
  const pieces: Uint8Array[] = [];
  let short: Buffer[] = [];
  for (const [i, piece] of text.split(new RegExp(`(?<=")${standIn()}(\\d+)(?=")`)).entries()) {
    const bytes = i % 2 === 0 ? Buffer.from(piece) : (inlines[Number(piece)] as LargeString).bytes;
    if (bytes.length < COPIED) short.push(bytes);
    else {
      pieces.push(Buffer.concat(short), bytes);
      short = [];
    }
  }
  return [...pieces, Buffer.concat(short)];
}

/** Finds the members that hold base64 without saying so. */
function bareMedia(): RegExp {
  const names = [...filesOfAny].flatMap(([name, form]) =>
    form === "base64" || form === "typedBase64" ? [name] : [],
  );
  return new RegExp(`"(?:${names.join("|")})"\\s*:\\s*"${standIn()}(\\d+)"`, "g");
}

/** Counts the bytes of a skeleton that are text: all but the long strings that are media. */
export function textOf({ text, inlines }: Skeleton): number {
  if (inlines.length === 0) return text.length;
  const bare = new Set(Array.from(text.matchAll(bareMedia()), ([, index]) => Number(index)));
  const isText = ({ head }: LargeString, index: number): boolean =>
    !bare.has(index) && !head.includes(";base64,");
  return inlines.filter(isText).reduce((bytes, inline) => bytes + inline.bytes.length, text.length);
}

const MEDIA = /;base64,|^[A-Za-z0-9+/_=-]{256}|^(?:[A-Za-z0-9+/_=-]{60,76}\r?\n){3}/;
const looksLikeMedia = (head: string): boolean => MEDIA.test(head);
