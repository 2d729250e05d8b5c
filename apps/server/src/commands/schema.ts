import { configJsonSchema } from "../config/json-schema.ts";
import type { Run } from "./call.ts";

/** The most characters of an object or a list on one line. */
const WIDTH = 100;

/** Formats JSON with short values on one line, so that people can read a schema and its file stays small. */
function format(value: unknown, indent = ""): string {
  const text = JSON.stringify(value);
  if (text.length <= WIDTH || typeof value !== "object" || value === null) return text;
  const inner = `${indent} `;
  const lines = Array.isArray(value)
    ? value.map((item) => format(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${format(item, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${lines.map((line) => inner + line).join(",\n")}\n${indent}${close}`;
}

export const schema: Run = async ({ options, print }) => {
  const made = configJsonSchema();
  print(options.json ? JSON.stringify(made) : format(made));
  return 0;
};
