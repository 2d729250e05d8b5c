import { configJsonSchema } from "../config/json-schema.ts";
import type { Run } from "./call.ts";

/** Characters that an object or a list may have on a line. */
const WIDTH = 100;

/** JSON with what is short on one line: a schema is read by people, and its size is that of its indentation. */
function layOut(value: unknown, indent = ""): string {
  const text = JSON.stringify(value);
  if (text.length <= WIDTH || typeof value !== "object" || value === null) return text;
  const inner = `${indent} `;
  const lines = Array.isArray(value)
    ? value.map((item) => layOut(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${layOut(item, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${lines.map((line) => inner + line).join(",\n")}\n${indent}${close}`;
}

export const schema: Run = async ({ options, print }) => {
  const made = configJsonSchema();
  print(options.json ? JSON.stringify(made) : layOut(made));
  return 0;
};
