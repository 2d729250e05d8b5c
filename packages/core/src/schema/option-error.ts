import { issuesOf } from "./issues.ts";
import type { Node } from "./node.ts";

/** Options that contain credentials, of which no value is shown. */
const SECRET = /^(adminKeys?|keyEncryptionSecrets|sessions|webhooks|guards|secrets?|credentials|key|url)$/;
/** The longest text of an option that is repeated. */
const MOST = 100;

/**
 * The error of a function whose options are wrong: which they are, what is allowed, and what is there unless that may be
 * a secret. The text of a fault follows the option's name.
 */
export function optionError(
  of: string,
  faults: readonly { path: readonly PropertyKey[]; text: string }[],
  options: unknown,
): TypeError {
  const lines = faults.map(({ path, text }) => {
    // An option that is not known may be a misspelt secret.
    const shown = text.startsWith("must ") ? presentValue(options, path) : "";
    return `${path.map(String).join(".") || "options"}: ${text}${shown}`;
  });
  return new TypeError(`${of}: ${lines.join("; ")}.`);
}

/** Throws that error if options do not fit a schema. */
export function assertOptions(of: string, schema: Node, options: unknown): void {
  const issues = issuesOf(schema, options) ?? [];
  const faults = issues.map(({ path, message }) => ({ path, text: message }));
  if (faults.length > 0) throw optionError(of, faults, options);
}

/** What stands at a path, if it is a short value that cannot be a secret. */
function presentValue(options: unknown, path: readonly PropertyKey[]): string {
  if (path.some((name) => SECRET.test(String(name)))) return "";
  const value = path.reduce<unknown>(
    (at, name) => (typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined),
    options,
  );
  // An address may have a password before its @.
  if (typeof value === "string") return value.length > MOST || value.includes("@") ? "" : `, not '${value}'`;
  return typeof value === "number" || typeof value === "boolean" ? `, not ${value}` : "";
}
