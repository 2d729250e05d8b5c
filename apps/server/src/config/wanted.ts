import type { z } from "zod";

/** The types of values in plain words. */
const TYPES: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** What a schema wants in place of a value that is of another type, or none of its words; undefined if it has no word. */
export function wantedBy(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === "invalid_type") return TYPES[issue.expected];
  if (issue.code !== "invalid_value") return undefined;
  const words = issue.values.map(String).join(", ");
  return issue.values.length === 1 ? words : `one of ${words}`;
}

/** The type of a value in plain words. */
export function typeOf(value: unknown): string {
  if (value === null) return "empty";
  if (Number.isNaN(value)) return "not one";
  return TYPES[Array.isArray(value) ? "array" : typeof value] ?? typeof value;
}
