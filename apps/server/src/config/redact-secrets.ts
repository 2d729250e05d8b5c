import { createHash } from "node:crypto";
import type { Store } from "@manifold-gateway/store";
import type { Config } from "./schema.ts";

/** Members whose texts are secrets, at any depth. */
const SECRET =
  /^(?:key|secret|password|adminKeys?|headers|keyEncryptionSecrets|linkSecrets|secretAccessKey|sessionToken|serviceAccount|clientSecret)$/;
/** The member that is a secret only as a text: in an object below it, `SECRET` decides again. */
const SINGLE = "key";

/** A secret's replacement: the beginning of its hash, enough to see a change and too little to guess it. */
const stub = (secret: string): string =>
  `secret ${createHash("sha256").update(secret).digest("hex").slice(0, 6)}`;

/** The part of a configuration that the audit log may show. */
export function withoutSecrets(value: unknown, secret: boolean | typeof SINGLE = false): unknown {
  if (typeof value === "string")
    return secret ? stub(value) : value.replace(/(:\/\/[^/@:]*:)[^@]*@/, "$1***@");
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, secret));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withoutSecrets(item, isInside(name, secret))]),
  );
}

/** A copy of a part of a configuration with each secret replaced. */
export function mapSecrets(
  value: unknown,
  replace: (secret: string, path: readonly PropertyKey[]) => string,
  path: readonly PropertyKey[] = [],
  secret: boolean | typeof SINGLE = false,
): unknown {
  if (typeof value === "string") return secret ? replace(value, path) : value;
  if (Array.isArray(value)) return value.map((item, i) => mapSecrets(item, replace, [...path, i], secret));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      mapSecrets(item, replace, [...path, name], isInside(name, secret)),
    ]),
  );
}

const isInside = (name: string, secret: boolean | typeof SINGLE): boolean | typeof SINGLE =>
  secret === true || (name === SINGLE ? SINGLE : SECRET.test(name));

/** The secrets in a part of a configuration, which `withoutSecrets` replaces. */
export function secretsIn(value: unknown, secret: boolean | typeof SINGLE = false): string[] {
  if (typeof value === "string") {
    const [, password] = /:\/\/[^/@:]*:([^@]*)@/.exec(value) ?? [];
    return secret ? [value] : password ? [password, decodeURIComponent(password)] : [];
  }
  if (Array.isArray(value)) return value.flatMap((item) => secretsIn(item, secret));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => secretsIn(item, isInside(name, secret)));
}

const ACTION = "configuration_changed";

/**
 * Records the sections of a configuration that differ from those last recorded in the audit log. Models and accounts
 * have entries of their own.
 */
export async function recordConfig(
  { auditLog }: Pick<Store, "auditLog">,
  config: Config,
  at: number,
): Promise<void> {
  const { $schema: _, models: _m, accounts: _a, ...sections } = config;
  for (const [subject, section] of Object.entries(sections)) {
    const after = { [subject]: withoutSecrets(section, SECRET.test(subject)) };
    const { results } = await auditLog.list({ actions: [ACTION], subject }, { offset: 0, limit: 1 });
    const before = results[0]?.after;
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    await auditLog.add(
      { actor: "configuration", at },
      { action: ACTION, subject, ...(before && { before }), after },
    );
  }
}
