/** A JSON object as the store keeps it. */
export type JsonObject = { readonly [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** JSON text with sorted members, so that equal values have equal texts. */
export function toCanonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** Converts an optional object to a column; `fromColumn` converts it back. */
export const toColumn = (value: JsonObject | string | undefined): string | null =>
  value === undefined ? null : typeof value === "string" ? value : JSON.stringify(value);
export const fromColumn = <T = JsonObject>(text: string | null): T | undefined =>
  text === null ? undefined : (JSON.parse(text) as T);

/** Matches escapes in JSON text. Those of NUL and of lone surrogates cannot be converted to text by Postgres. */
const ESCAPES = /\\(?:u(?:0000|d[89a-f][0-9a-f]{2})|.)/g;
const HAS_UNREADABLE = /\\u(?:0000|d[89a-f])/;
const REPLACEMENT = "\\ufffd";

/**
 * Converts an optional object to a column of which statements read single members. Postgres refuses that if any text in
 * the object has NUL or a lone surrogate, which texts of callers and providers may have: these are replaced.
 */
export function toReadableColumn(value: JsonObject | undefined): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  if (!HAS_UNREADABLE.test(text)) return text;
  return text.replace(ESCAPES, (part) => (HAS_UNREADABLE.test(part) ? REPLACEMENT : part));
}
