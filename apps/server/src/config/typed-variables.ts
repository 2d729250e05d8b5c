import type { z } from "zod";
import type { Problem } from "./problem.ts";
import { variablesIn } from "./variables.ts";

/** The text of a number, as JSON and the command line write it. */
const NUMBER = /^-?\d+(\.\d+)?$/;

/** What a schema may expect where a text stands, and how the text is read as such. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  number: (text) => (NUMBER.test(text) ? Number(text) : undefined),
  int: (text) => (NUMBER.test(text) ? Number(text) : undefined),
  boolean: (text) => ({ true: true, false: false })[text],
};

/**
 * Converts the texts of variables where the schema expects a number, true or false: an environment has only texts.
 * `written` is the value before its variables were replaced, `filled` afterwards; a text without a variable stays one.
 */
export function typedVariables(written: unknown, filled: unknown, schema: z.ZodType): unknown {
  const issues = schema.safeParse(filled).error?.issues ?? [];
  return issues.reduce((value, issue) => {
    for (const { path, expected } of expectedBy(issue)) {
      const text = at(value, path);
      if (typeof text !== "string" || variablesAt(written, path).length === 0) continue;
      const read = READERS[expected]?.(text);
      if (read !== undefined) return withValue(value, path, read);
    }
    return value;
  }, filled);
}

/** The types that a finding says were expected, with their places: those of a union are beside each other. */
function expectedBy(
  issue: z.core.$ZodIssue,
  base: readonly PropertyKey[] = [],
): { path: readonly PropertyKey[]; expected: string }[] {
  const path = [...base, ...issue.path];
  if (issue.code === "invalid_union") return issue.errors.flat().flatMap((inner) => expectedBy(inner, path));
  if (issue.code === "invalid_type") return [{ path, expected: issue.expected }];
  return issue.code === "invalid_value" ? issue.values.map((one) => ({ path, expected: typeof one })) : [];
}

/** A problem with the names of the variables whose texts it is about. */
export function namingVariables({ path, line }: Problem, written: unknown): Problem {
  const names = variablesAt(written, path).map((name) => `\${${name}}`);
  return { path, line: names.length > 0 ? `${line} (from ${names.join(", ")})` : line };
}

function variablesAt(written: unknown, path: readonly PropertyKey[]): string[] {
  const text = at(written, path);
  return typeof text === "string" ? variablesIn(text) : [];
}

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inside, step) => (typeof inside === "object" && inside !== null ? Reflect.get(inside, step) : undefined),
    value,
  );

/** A copy with another value at a path that it has. */
function withValue(value: unknown, [step, ...rest]: readonly PropertyKey[], next: unknown): unknown {
  if (step === undefined) return next;
  const inside = withValue(Reflect.get(value as object, step), rest, next);
  return Array.isArray(value) ? value.with(Number(step), inside) : { ...(value as object), [step]: inside };
}
