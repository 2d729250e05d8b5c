import { show } from "../capability/message-text.ts";
import { type KnownNames, sayUnknown } from "../capability/unknown-field.ts";
import type { Issue } from "../schema/issues.ts";

/** The most issues that are reported. */
const MOST = 20;

/**
 * Converts a schema's issues to texts that name the field, and the model if it is known. `listNames` returns the
 * names of the schema, for the text about an unknown one.
 */
export function sayIssues(
  error: { issues: readonly Issue[] },
  model?: string,
  listNames?: () => KnownNames,
): string[] {
  const texts: string[] = [];
  const add = (issue: Issue, base: PropertyKey[]): void => {
    const path = [...base, ...issue.path];
    // Of a union's alternatives, the one that matched furthest is probably what the caller meant.
    if (issue.code === "invalid_union" && issue.errors && issue.errors.length > 0) {
      const best = [...issue.errors].sort((a, b) => reach(b) - reach(a))[0] ?? [];
      if (best.length > 0 && reach(best) > 0) {
        for (const inner of best) add(inner, path);
        return;
      }
    }
    if (issue.keys && listNames) {
      const names = listNames();
      texts.push(...issue.keys.map((key) => sayUnknown([...path, key], names)));
      return;
    }
    texts.push(`${path.length > 0 ? path.map(String).join(".") : "body"}: ${sayTypes(issue)}`);
  };
  for (const issue of error.issues) add(issue, []);
  const where = model === undefined ? "" : ` (model ${show(model)})`;
  return [...new Set(texts)].slice(0, MOST).map((text) => `${text}${where}`);
}

/** Matches the message about a value of another type. */
const OTHER_TYPE = /^Invalid input: expected ([^,]+), received (.+)$/;

/** The message of an issue. For a union without one of its own, it names the types of all alternatives. */
function sayTypes({ code, message, errors = [] }: Issue): string {
  if (code !== "invalid_union" || message !== "Invalid input") return message;
  const found = errors.map(([first]) => OTHER_TYPE.exec(first?.message ?? ""));
  const types = new Set(found.flatMap((match) => match?.[1] ?? []));
  const received = found.find((match) => match)?.[2];
  return received === undefined
    ? message
    : `${message}: expected ${[...types].join(" or ")}, received ${received}`;
}

const reach = (issues: readonly { path: PropertyKey[] }[]): number =>
  Math.max(0, ...issues.map((issue) => issue.path.length));
