import { type Json, type JsonObject, withoutSecrets } from "@manifold-gateway/core/codec";
import type { JsonBody } from "./json-body.ts";
import { isLazyObject, LargeString, type LazyJson } from "./lazy-json.ts";
import type { Skeleton } from "./skeleton.ts";

/** The most characters of a request in its record, and the length from which a value may be media. */
const LIMIT = 64 * 1024;
const LONG = 1024;
/** The beginning of base64: prose has no run this long without a space. */
const BASE64 = /^(?:data:[^,]{0,200},)?[A-Za-z0-9+/_-]{512}/;

/**
 * The signs of a link: the slashes of its scheme, a query for links without one, and escapes that may hide either.
 */
const LINK = /\/\/|[?&][\w-]+=|\\[u/]/;

/** A request for its record: media cut short, secrets in URLs removed, the size limited. */
export function storable({ skeleton, lazy }: JsonBody): JsonObject {
  if (isPlain(skeleton)) return lazy as JsonObject;
  const kept = trim(lazy) as JsonObject;
  if (skeleton.text.length <= LIMIT && skeleton.largeStrings.length === 0) return kept;
  const whole = JSON.stringify(kept);
  return whole.length <= LIMIT ? kept : { truncated: whole.slice(0, LIMIT / 2) };
}

/** The same as JSON text. Most requests can hold neither links nor media, and are kept as they came. */
export function storableText(body: JsonBody): JsonObject | string {
  return isPlain(body.skeleton) ? body.skeleton.text : storable(body);
}

/** Checks that nothing in it can be a link or media. */
const isPlain = ({ text, largeStrings }: Skeleton): boolean =>
  largeStrings.length === 0 &&
  text.length <= LIMIT &&
  !LINK.test(text) &&
  !(text.length > LONG && holdsRun(text));

function trim(value: LazyJson): Json {
  if (value instanceof LargeString)
    return BASE64.test(value.head) ? cut(value.head, value.bytes.length) : withoutSecrets(value.toString());
  if (typeof value === "string")
    return value.length > LONG && BASE64.test(value) ? cut(value, value.length) : withoutSecrets(value);
  if (Array.isArray(value)) return value.map(trim);
  if (!isLazyObject(value)) return value;
  const kept: JsonObject = {};
  for (const key in value) kept[key] = trim(value[key] as LazyJson);
  return kept;
}

const cut = (media: string, length: number): string => `${media.slice(0, 64)}…(${length} characters)`;

/** The shortest run of base64 that counts as media. */
const RUN = 512;
const SYMBOL = /[A-Za-z0-9+/_-]/;

/**
 * Checks whether a run of base64 is anywhere. A run of that length covers a multiple of the length, so only characters
 * at multiples are examined first.
 */
function holdsRun(text: string): boolean {
  const is = (at: number): boolean => SYMBOL.test(text.charAt(at));
  for (let at = RUN - 1; at < text.length; at += RUN) {
    if (!is(at)) continue;
    let from = at;
    let to = at + 1;
    while (from > 0 && at - from < RUN && is(from - 1)) from -= 1;
    while (to < text.length && to - from < RUN && is(to)) to += 1;
    if (to - from >= RUN) return true;
  }
  return false;
}
