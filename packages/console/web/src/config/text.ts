/** A value as it stands in a table; nothing where there is none. */
export const textOf = (value: unknown): string =>
  value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value);
