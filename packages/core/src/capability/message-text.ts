/** A value as it may stand in a text for people: short, on one line. */
export function show(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const clean = text.slice(0, 101).replace(/[\x00-\x1f\x7f]/g, " ");
  return `'${clean.length > 100 ? `${clean.slice(0, 100)}…` : clean}'`;
}

/** Several findings as one text. Those that do not end as a sentence are kept apart by semicolons. */
export const joinTexts = (texts: readonly string[]): string =>
  texts.reduce((all, text) => (all === "" ? text : `${all}${/[.!?…]$/.test(all) ? "" : ";"} ${text}`), "");

/**
 * A JSON pointer as people write it: `/generationConfig/topP` is `generationConfig.topP`. The empty pointer is the
 * whole body.
 */
export const fieldOf = (pointer: string): string =>
  pointer === ""
    ? "body"
    : pointer
        .split("/")
        .slice(1)
        .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
        .join(".");

/** `a, b or c`. */
export const listOf = (items: readonly string[], last = "or"): string =>
  items.length < 2
    ? (items[0] ?? "nothing")
    : `${items.slice(0, -1).join(", ")} ${last} ${items[items.length - 1]}`;

/** Names the type of a value, for a text that wanted it to be something else. */
export function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  const words: Record<string, string> = {
    string: "text",
    number: "a number",
    boolean: "a truth value",
    object: "an object",
  };
  return words[typeof value] ?? typeof value;
}

/** `4 to 15`, where either end may be open. */
export function span({ min, max }: { min?: number | undefined; max?: number | undefined }): string {
  if (min === undefined) return max === undefined ? "any" : `at most ${max}`;
  return max === undefined ? `at least ${min}` : `${min} to ${max}`;
}

export const within = (
  value: number,
  { min, max }: { min?: number | undefined; max?: number | undefined },
): boolean => (min === undefined || value >= min) && (max === undefined || value <= max);
