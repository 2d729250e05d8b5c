/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
/** A JSON object: what every wire record is. */
export type JsonObject = { [key: string]: Json };

// Total readers. Upstreams mistype fields and clients send odd ones; a codec asks for what it needs and gets that or
// nothing, so that no reply and no request can make it throw.

/** Checks whether it is a record, and no list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** The object, or an empty one. */
export const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {});
/** The list, or an empty one. */
export const toArray = (value: unknown): Json[] => (Array.isArray(value) ? value : []);
/** The text, or an empty one. */
export const toText = (value: unknown): string => (typeof value === "string" ? value : "");
/** The text, if it is one. */
export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
/** The number, if it is a finite one. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;
/** The boolean, if it is one. */
export const booleanOf = (value: unknown): boolean | undefined =>
  typeof value === "boolean" ? value : undefined;

/** The entry of a table for a word from a wire; safe for words such as `constructor`, which every object has. */
export const lookup = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/** The value of JSON text, or `undefined` where the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** A value as JSON text; empty where it is nested deeper than it can be written, which texts from outside may be. */
export function toJsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

/** The object that JSON text holds, or `undefined` where it holds anything else. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

/** `record` without the members that are `undefined`: absent and undefined are one thing on a wire. */
export function compact<T extends object>(record: T): T {
  for (const key in record) if (record[key] === undefined) delete record[key];
  return record;
}

/** `record` with a member defined on it, also where the key is one that plain assignment treats specially. */
export function put(record: JsonObject, key: string, value: Json): void {
  if (key === "__proto__")
    Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
  else record[key] = value;
}

/** Checks whether two values are the same JSON, whatever the order of their members. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b || Array.isArray(a) !== Array.isArray(b))
    return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson((a as JsonObject)[key], (b as JsonObject)[key]))
  );
}

/** The members of `record` that have one of these names. */
export const pick = (record: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])));

/** The members of `record` that are not among `excluded`, or `undefined` where none is left. */
export function rest(record: JsonObject, excluded: ReadonlySet<string>): JsonObject | undefined {
  let left: JsonObject | undefined;
  for (const key of Object.keys(record)) {
    if (excluded.has(key) || record[key] === undefined) continue;
    left ??= {};
    put(left, key, record[key] as Json);
  }
  return left;
}
