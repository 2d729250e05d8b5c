import { VARIABLE } from "./variables.ts";

/** The name of the schema of texts with a variable, in `$defs`. */
const NAME = "variable";
/** Texts that the loader replaces, whatever stands around the variable. */
const variable = {
  type: "string",
  pattern: VARIABLE.source,
  description: `A text with variables: \${NAME}, or \${NAME:-default}.`,
};
const reference = { $ref: `#/$defs/${NAME}` };

/** Words about a value that stay beside its alternatives. */
const OUTER = ["description", "default"];
/** What restricts a text, so that one with a variable would be marked as wrong. */
const RESTRICTIONS = ["pattern", "format", "minLength", "maxLength", "enum", "const", "allOf"];

type Schema = Record<string, unknown>;

/** A JSON Schema that takes a text with a variable wherever it has a number, true, false or a text of a certain form. */
export function withVariables(schema: Schema & { $defs?: Schema }): Schema {
  const { $defs, ...root } = convert(schema) as typeof schema;
  return { ...root, $defs: { ...$defs, [NAME]: variable } };
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== "object" || value === null) return value;
  const schema = value as Schema;
  if (!takesVariable(schema))
    // The names of members come from the file as they are.
    return Object.fromEntries(
      Object.entries(schema).map(([key, inside]) => [
        key,
        key === "propertyNames" ? inside : convert(inside),
      ]),
    );
  const entries = Object.entries(schema);
  const isOuter = ([key]: [string, unknown]): boolean => OUTER.includes(key);
  return {
    ...Object.fromEntries(entries.filter(isOuter)),
    anyOf: [Object.fromEntries(entries.filter((entry) => !isOuter(entry))), reference],
  };
}

function takesVariable({ type, ...rest }: Schema): boolean {
  if (type === "number" || type === "integer" || type === "boolean") return true;
  return type === "string" && RESTRICTIONS.some((name) => name in rest);
}
