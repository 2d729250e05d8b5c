import { show } from "../capability/message-text.ts";
import { describeUnknownField, type KnownNames } from "../capability/unknown-field.ts";
import type { Issue } from "../schema/issues.ts";

/** The most issues that are reported. */
const MAX_ISSUES = 20;

/**
 * Converts a schema's issues to texts that name the field, and the model if it is known. `listNames` returns the
 * names of the schema, for the text about an unknown one.
 */
export function describeIssues(
  error: { issues: readonly Issue[] },
  model?: string,
  listNames?: () => KnownNames,
): string[] {
  const texts: string[] = [];
  const add = (issue: Issue, base: PropertyKey[]): void => {
    const path = [...base, ...issue.path];
    // Of a union's alternatives, the one that matched furthest is probably what the caller meant.
    if (issue.code === "invalid_union" && issue.errors && issue.errors.length > 0) {
      const best = [...issue.errors].sort((a, b) => deepestPath(b) - deepestPath(a))[0] ?? [];
      if (best.length > 0 && deepestPath(best) > 0) {
        for (const inner of best) add(inner, path);
        return;
      }
    }
    if (issue.keys && listNames) {
      const names = listNames();
      texts.push(...issue.keys.map((key) => describeUnknownField([...path, key], names)));
      return;
    }
    texts.push(`${path.length > 0 ? path.map(String).join(".") : "body"}: ${describeIssue(issue)}`);
  };
  for (const issue of error.issues) add(issue, []);
  const where = model === undefined ? "" : ` (model ${show(model)})`;
  return [...new Set(texts)].slice(0, MAX_ISSUES).map((text) => `${text}${where}`);
}

/** Matches the message about a value of another type. */
const OTHER_TYPE = /^Invalid input: expected ([^,]+), received (.+)$/;

/**
 * The message of an issue. For a union without one of its own, it names the types of all alternatives; JSON has no
 * `undefined`, so a member that is absent is said to be required.
 */
function describeIssue({ code, message, errors = [] }: Issue): string {
  const isUnion = code === "invalid_union" && message === "Invalid input";
  const texts = isUnion ? errors.map(([first]) => first?.message ?? "") : [message];
  const found = texts.flatMap((text) => {
    const [, type, received] = OTHER_TYPE.exec(text) ?? [];
    return type === undefined ? [] : [{ type, received }];
  });
  const [first] = found;
  if (!first) return message;
  const types = [...new Set(found.map(({ type }) => type))].join(" or ");
  return first.received === "undefined"
    ? `is required, as ${types}`
    : `Invalid input: expected ${types}, received ${first.received}`;
}

const deepestPath = (issues: readonly { path: PropertyKey[] }[]): number =>
  Math.max(0, ...issues.map((issue) => issue.path.length));
