import type { z } from "zod";

/** An error in one field of a body, which each protocol describes in its own words. */
export type Finding = { path: (string | number)[] } & (
  | { kind: "unknown"; key: string }
  | { kind: "missing" }
  | { kind: "type"; expected: string; got: unknown }
  | { kind: "value"; allowed: string[]; got: unknown }
  /** An unknown tag, such as a content part of an unknown `type`. */
  | { kind: "tag"; tag: string; allowed: string[]; got: unknown }
  | {
      kind: "above" | "below";
      limit: number;
      inclusive: boolean;
      got: unknown;
      of: "number" | "string" | "array";
    }
  | { kind: "pattern"; pattern: string; got: unknown }
  | { kind: "other"; message: string }
);

type Issue = z.core.$ZodIssue;
type Path = (string | number)[];

const toPath = (path: PropertyKey[]): Path =>
  path.map((step) => (typeof step === "number" ? step : String(step)));

function valueAt(body: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], body);
}

/** The branch of a union to which the value most likely belongs: the one whose outer type it has. */
function closest(branches: Issue[][]): Issue[] | undefined {
  const misses = (issues: Issue[]) =>
    issues.some((issue) => issue.code === "invalid_type" && issue.path.length === 0) ||
    issues.some((issue) => issue.path.length === 1 && issue.path[0] === "type");
  return branches.find((issues) => !misses(issues));
}

function sizeOf(origin: string): "number" | "string" | "array" {
  if (origin === "array" || origin === "set") return "array";
  return origin === "string" ? "string" : "number";
}

function toFinding(issue: Issue, body: unknown, base: Path): Finding {
  const path = [...base, ...toPath(issue.path)];
  const got = valueAt(body, path);
  switch (issue.code) {
    case "unrecognized_keys":
      return { kind: "unknown", path: [...path, issue.keys[0]!], key: issue.keys[0]! };
    case "invalid_type":
      return got === undefined
        ? { kind: "missing", path }
        : { kind: "type", path, expected: issue.expected, got };
    case "invalid_value":
      if (got === undefined) return { kind: "missing", path };
      return { kind: "value", path, allowed: issue.values.map(String), got };
    case "too_big":
    case "too_small": {
      const above = issue.code === "too_big";
      const limit = Number(above ? issue.maximum : issue.minimum);
      const inclusive = issue.inclusive ?? true;
      return { kind: above ? "above" : "below", path, limit, inclusive, got, of: sizeOf(issue.origin) };
    }
    case "invalid_format":
      return { kind: "pattern", path, pattern: (issue.pattern ?? issue.format).replace(/^\/|\/$/g, ""), got };
    case "invalid_union": {
      if (issue.discriminator !== undefined) {
        if (got === undefined) return { kind: "missing", path };
        const options = "options" in issue && Array.isArray(issue.options) ? issue.options : [];
        const allowed = options.filter((option) => option != null).map(String);
        return { kind: "tag", path, tag: issue.discriminator, allowed, got };
      }
      const branch = closest(issue.errors);
      if (branch?.[0]) return toFinding(branch[0], body, path);
      if (got === undefined) return { kind: "missing", path };
      const expected = issue.errors.flatMap((errors) =>
        errors.flatMap((error) => (error.code === "invalid_type" ? [error.expected] : [])),
      );
      return { kind: "type", path, expected: [...new Set(expected)].join(" or "), got };
    }
    default:
      return { kind: "other", path, message: issue.message };
  }
}

/** The first finding of a failed parse: unknown names come first, as they do at the vendors. */
export function firstFinding(error: z.ZodError, body: unknown): Finding {
  const findings = error.issues.map((issue) => toFinding(issue, body, []));
  return findings.find((finding) => finding.kind === "unknown") ?? findings[0]!;
}

/** The name of a value's JSON type, with its article. */
export function jsonType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal";
  return (
    { object: "an object", string: "a string", boolean: "a boolean" }[typeof value as "object"] ?? "nothing"
  );
}
