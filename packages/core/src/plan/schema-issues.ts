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
    texts.push(`${path.length > 0 ? path.map(String).join(".") : "body"}: ${issue.message}`);
  };
  for (const issue of error.issues) add(issue, []);
  const where = model === undefined ? "" : ` (model ${show(model)})`;
  return [...new Set(texts)].slice(0, MOST).map((text) => `${text}${where}`);
}

const reach = (issues: readonly { path: PropertyKey[] }[]): number =>
  Math.max(0, ...issues.map((issue) => issue.path.length));
