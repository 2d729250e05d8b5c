import { randomBytes } from "node:crypto";
import type { KeyVault } from "@manifold-gateway/gateway/admin";
import type { Declaration } from "@manifold-gateway/store";
import { type Problem, problemAt } from "./problem.ts";
import { mapSecrets } from "./redact-secrets.ts";
import { VARIABLE } from "./variables.ts";

/** The credentials of a declaration, by the placeholders in its value. */
export type Secrets = Readonly<Record<string, string>>;

const STAND_IN = /^sealed [0-9a-f]{8}$/;
const ONE_VARIABLE = new RegExp(`^${VARIABLE.source.replace("(?::-([^}]*))?", "")}$`);

/** True for a text that only names a variable, so it is no secret itself. */
export const isVariable = (text: string): boolean => ONE_VARIABLE.test(text);

/** A member of a section of the configuration, by its place. */
export const pathOf = ({ section, name }: Pick<Declaration, "section" | "name">): [string, string] => [
  section,
  name,
];

/** The identity of a declaration, to which its credentials are bound. */
const sealIdOf = (of: Pick<Declaration, "section" | "name">): string => `declaration:${pathOf(of).join(".")}`;

/**
 * Takes the credentials out of a declaration's value. A placeholder keeps its credential of `stored`; an unknown
 * placeholder is a problem.
 */
export function takeSecrets(
  value: object,
  stored: Secrets,
  at: readonly string[],
): { value: object; secrets: Secrets; problems: Problem[] } {
  const secrets: Record<string, string> = {};
  const problems: Problem[] = [];
  const earlier = new Map(Object.entries(stored).map(([name, secret]) => [secret, name] as const));
  const stripped = mapSecrets(value, (text, path) => {
    if (isVariable(text)) return text;
    if (STAND_IN.test(text)) {
      const secret = stored[text];
      if (secret === undefined)
        problems.push(
          problemAt([...at, ...path], `'${text}' stands for no stored credential: give the credential`),
        );
      else secrets[text] = secret;
      return text;
    }
    const name = earlier.get(text) ?? `sealed ${randomBytes(4).toString("hex")}`;
    earlier.set(text, name);
    secrets[name] = text;
    return name;
  });
  return { value: stripped as object, secrets, problems };
}

/** Encrypts credentials for their declaration. Undefined if there are none. */
export const sealSecrets = (
  secrets: Secrets,
  of: Pick<Declaration, "section" | "name">,
  vault: KeyVault,
): string | undefined =>
  Object.keys(secrets).length === 0
    ? undefined
    : JSON.stringify(vault.seal(JSON.stringify(secrets), sealIdOf(of)));

/** Decrypts the credentials of a declaration. Undefined if no secret of the configuration does. */
export function openSecrets(
  { sealed, ...of }: Pick<Declaration, "section" | "name" | "sealed">,
  vault: KeyVault | undefined,
): Secrets | undefined {
  if (sealed === undefined) return {};
  const text = vault?.open(JSON.parse(sealed), sealIdOf(of));
  return text === undefined ? undefined : (JSON.parse(text) as Secrets);
}

/** A declaration's value with its credentials. */
export const withSecretsOf = (value: object, secrets: Secrets): object =>
  mapSecrets(value, (text) => secrets[text] ?? text) as object;
