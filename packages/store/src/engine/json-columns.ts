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
