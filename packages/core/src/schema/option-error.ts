import { describeUnknownName } from "../capability/unknown-field.ts";
import { isObject, lookup } from "../json/json.ts";
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

/** Throws that error if options do not fit a schema, or have a name that it does not know. */
export function assertOptions(of: string, schema: Node, options: unknown): void {
  const issues = issuesOf(schema, options) ?? [];
  const faults = [
    ...issues.map(({ path, message }) => ({ path, text: message })),
    ...unknownNames(schema, options, []),
  ];
  if (faults.length > 0) throw optionError(of, faults, options);
}

/** The names that a schema does not know. An object without members in a schema may be any: a part of a program. */
function unknownNames(
  schema: Node,
  value: unknown,
  path: PropertyKey[],
): { path: PropertyKey[]; text: string }[] {
  if (schema.kind === "array" && Array.isArray(value))
    return value.flatMap((item, at) => unknownNames(schema.items, item, [...path, at]));
  if (schema.kind !== "object" || !isObject(value)) return [];
  const known = Object.keys(schema.members);
  return Object.entries(known.length > 0 ? value : {}).flatMap(([name, inner]) => {
    if (inner === undefined) return [];
    const member = lookup(schema.members, name);
    const place = [...path, name];
    return member
      ? unknownNames(member, inner, place)
      : [{ path: place, text: describeUnknownName(name, known) }];
  });
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
