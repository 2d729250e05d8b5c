import { closestName, describeUnknownField, type KnownNames } from "@manifold-gateway/core/capability";
import type { z } from "zod";
import { type Problem, problemAt } from "./problem.ts";
import { typeOf, wantedBy } from "./wanted.ts";

type Issue = z.core.$ZodIssue;

/** Describes the findings of a schema check: the path of each, what is wrong, and what is allowed. */
export function findingsOf(issues: readonly Issue[], knownNames: KnownNames): Problem[] {
  return issues.flatMap((issue) => findings(issue, knownNames));
}

function findings(issue: Issue, knownNames: KnownNames): Problem[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys
      .map((key) => [...issue.path, key])
      .map((path) => ({ path, line: describeUnknownField(path, knownNames) }));
  if (issue.code === "invalid_key") {
    const [first] = issue.issues;
    return [problemAt(issue.path, `the name cannot be used${first ? `: ${first.message}` : ""}`)];
  }
  if (issue.code === "invalid_union") {
    const shapes = issue.errors.flat();
    if (shapes.length > 0 && shapes.every(({ path, code }) => path.length === 0 && isOfKind(code)))
      return [problemAt(issue.path, mustBe(shapes, issue.input))];
    const inside = nearest(issue.errors).map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
    if (inside.length > 0) return findingsOf(inside, knownNames);
  }
  return [problemAt(issue.path, describeIssue(issue))];
}

/** Says what is wrong with a value, of which `reportInput` has to be set, and what is allowed. */
export const describeIssue = (issue: Issue): string =>
  isOfKind(issue.code) && wantedBy(issue) !== undefined
    ? mustBe([issue], issue.input)
    : (boundOf(issue) ?? formOf(issue) ?? issue.message);

/** Whether a finding is about what kind of value stands there, and not about its size or form. */
const isOfKind = (code: string): boolean => code === "invalid_type" || code === "invalid_value";

/** Says what a value must be, and of what type it is: the value itself may be a secret. */
function mustBe(issues: readonly Issue[], input: unknown): string {
  const wanted = [...new Set(issues.flatMap((issue) => wantedBy(issue) ?? []))].join(", or ");
  if (input === undefined) return `is missing: it must be ${wanted}`;
  const words = issues.flatMap((issue) => (issue.code === "invalid_value" ? issue.values.map(String) : []));
  if (typeof input !== "string" || words.length === 0) return `must be ${wanted}, and is ${typeOf(input)}`;
  const meant = closestName(input, words);
  return `must be ${wanted}${meant === undefined ? "" : `. Did you mean '${meant}'?`}`;
}

/** The units of bounds, by the type of value. */
const UNITS: Record<string, string> = { string: " characters", array: " items", set: " items" };

/** The form that an address must have, if the schema has no message for it. */
const formOf = (issue: Issue): string | undefined =>
  issue.message === "Invalid URL" ? "must be an address that begins with http:// or https://" : undefined;

/** A bound in plain words, if the schema has no message for it. */
function boundOf(issue: Issue): string | undefined {
  if (!/^Too (small|big):/.test(issue.message)) return undefined;
  if (issue.code === "too_small") {
    const unit = UNITS[issue.origin];
    if (unit) return `must have ${issue.minimum}${unit} or more`.replace(" 1 items", " an item");
    return issue.inclusive ? `must be ${issue.minimum} or more` : `must be more than ${issue.minimum}`;
  }
  if (issue.code !== "too_big") return undefined;
  const unit = UNITS[issue.origin];
  if (unit) return `must have at most ${issue.maximum}${unit}`;
  return issue.inclusive ? `must be at most ${issue.maximum}` : `must be less than ${issue.maximum}`;
}

/** The findings for the shape that a value most likely has, among those allowed: the faults are inside it. */
function nearest(shapes: readonly (readonly Issue[])[]): readonly Issue[] {
  const isWithin = (issues: readonly Issue[]): boolean =>
    issues.every(({ code, path }) => path.length > 0 || code === "unrecognized_keys");
  const isOfType = (issues: readonly Issue[]): boolean => issues.every(({ code }) => code !== "invalid_type");
  // Among several kinds of objects, the one with the fewest findings was meant.
  const [within] = shapes.filter(isWithin).toSorted((a, b) => a.length - b.length);
  return within ?? shapes.find(isOfType) ?? shapes[0] ?? [];
}
