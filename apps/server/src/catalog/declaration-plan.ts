import { isDeepStrictEqual } from "node:util";
import type { KeyVault } from "@manifold-gateway/gateway/admin";
import type { Declaration } from "@manifold-gateway/store";
import { keyVaultOf } from "../config/build.ts";
import { isConfigured, type Merged, placeKey, tryMerge, type Unmerged } from "../config/declarations.ts";
import { variableNameOf } from "../config/export.ts";
import type { Settings } from "../config/load.ts";
import { type Problem, problemAt } from "../config/problem.ts";
import { openSecrets, pathOf, type Secrets, sealSecrets, takeSecrets } from "../config/sealed-secrets.ts";
import { problemsOfVariables } from "./declared-variables.ts";

/** A member to declare, or to remove if it has no `value`. */
export interface WantedMember {
  section: string;
  name: string;
  value?: object;
  /** The credentials that `sealed …` in the value stands for, if they are not those of the declaration in force. */
  secrets?: Secrets;
}

/** The declarations after a change, and the problems of the change. */
export interface DeclarationPlan {
  problems: string[];
  /** Entries that other models lose. */
  losses: string[];
  /** The declarations to store. */
  declarations: Pick<Declaration, "section" | "name" | "value" | "sealed">[];
  /** The whole configuration afterwards. Absent if it could not be used. */
  merged?: Merged;
}

/** Members that decide where credentials are sent, by section. A webhook's secret only signs, and is never sent. */
const ADDRESS: Readonly<Record<string, readonly string[]>> = {
  providers: ["preset", "origin", "parts", "basePaths", "listing", "serves", "auth", "platform"],
};

const keyOf = (of: Pick<Declaration, "section" | "name">): string => JSON.stringify(pathOf(of));

/** Plans changes of declarations: encrypts their credentials, and checks the whole as a file is checked. */
export function planDeclarations(
  base: Settings,
  { before, stored }: { before: Merged | Unmerged; stored: readonly Declaration[] },
  requested: readonly WantedMember[],
): DeclarationPlan {
  const vault = keyVaultOf(base.config);
  const current = new Map(stored.map((one) => [keyOf(one), one] as const));
  const { members, losses } = withoutRemoved(requested, stored);
  const problems: string[] = [];
  const declarations = members.map((member) => {
    const sealed = sealMember(base, member, current.get(keyOf(member)), vault);
    problems.push(...sealed.problems);
    return sealed.declaration;
  });
  if (problems.length > 0) return { problems, losses, declarations };
  const changed = new Set(declarations.map(keyOf));
  // New declarations get a later revision than all others, so that a conflict is reported for the change.
  const next = declarations.flatMap((one, at): Declaration[] =>
    one.value ? [{ ...one, revision: Number.MAX_SAFE_INTEGER - 1_000 + at, at: 0 }] : [],
  );
  const after = tryMerge(base, [...stored.filter((one) => !changed.has(keyOf(one))), ...next]);
  const omitted = new Set(before.omissions.map(({ declaration }) => keyOf(declaration)));
  for (const { declaration, reasons } of after.omissions)
    if (changed.has(keyOf(declaration)) || !omitted.has(keyOf(declaration))) problems.push(...reasons);
  if ("settings" in after) return { problems, losses, declarations, merged: after };
  // Existing problems of the file do not refuse a change, which may be a step towards its repair.
  const known = new Set("problems" in before ? before.problems.map(placeKey) : []);
  for (const problem of after.problems) if (!known.has(placeKey(problem))) problems.push(problem.line);
  return { problems, losses, declarations };
}

/**
 * Adds the models that lose entries because their providers are removed. A model without other entries is removed as
 * well.
 */
function withoutRemoved(requested: readonly WantedMember[], stored: readonly Declaration[]) {
  const removed = new Set(
    requested.flatMap(({ section, name, value }) => (section === "providers" && !value ? [name] : [])),
  );
  const named = new Set(requested.map(keyOf));
  const losses: string[] = [];
  const members = [...requested];
  for (const { section, name, value } of stored) {
    if (section !== "models" || named.has(keyOf({ section, name }))) continue;
    const { entries = [] } = value as { entries?: { provider: string; name: string }[] };
    const rest = entries.filter(({ provider }) => !removed.has(provider));
    if (rest.length === entries.length) continue;
    for (const entry of entries)
      if (removed.has(entry.provider))
        losses.push(`models.${name}: would lose its entry '${entry.name}' of '${entry.provider}'`);
    members.push({ section, name, ...(rest.length > 0 && { value: { ...value, entries: rest } }) });
  }
  return { members, losses };
}

/**
 * Reads a member that replaces `before`: takes out its credentials, where a text `sealed …` keeps a stored one, and
 * checks the variables that it names.
 */
export function readMember(
  base: Settings,
  { section, name, value, secrets: restored }: WantedMember & { value: object },
  before: Declaration | undefined,
): { value: object; secrets: Secrets; problems: Problem[] } {
  const at = pathOf({ section, name });
  const isKept = before && isSameAddress(section, before.value, value);
  const kept = restored ?? (isKept && openSecrets(before, keyVaultOf(base.config))) ?? {};
  const parts = takeSecrets(value, kept || {}, at);
  const problems = [...parts.problems, ...problemsOfVariables(base, value, at), ...problemsOfName(value, at)];
  return { ...parts, problems };
}

/** A member with its credentials encrypted. */
function sealMember(
  base: Settings,
  { value, ...member }: WantedMember,
  before: Declaration | undefined,
  vault: KeyVault | undefined,
): { declaration: DeclarationPlan["declarations"][number]; problems: string[] } {
  const { section, name } = member;
  const of = { section, name };
  const at = pathOf(of);
  if (!value) return { declaration: of, problems: [] };
  const { problems, ...parts } = readMember(base, { ...member, value }, before);
  const isSecret = Object.keys(parts.secrets).length > 0;
  if (isSecret && !vault)
    problems.push(
      problemAt(
        at,
        `its credential cannot be stored, since keyEncryptionSecrets of the configuration has no secret; name a variable of the environment instead, as in \${${variableNameOf([section, name, "key"])}}`,
      ),
    );
  const sealed = vault && sealSecrets(parts.secrets, of, vault);
  return {
    declaration: { ...of, value: parts.value as Record<string, unknown>, ...(sealed && { sealed }) },
    problems: problems.map(({ line }) => line),
  };
}

const isSameAddress = (section: string, before: object = {}, after: object): boolean =>
  (ADDRESS[section] ?? []).every((member) =>
    isDeepStrictEqual(
      (before as Record<string, unknown>)[member],
      (after as Record<string, unknown>)[member],
    ),
  );

/** A webhook has its name in the file; a declared one has the declaration's. */
function problemsOfName(value: object, [section, name]: readonly [string, string]): Problem[] {
  const written = (value as { name?: unknown }).name;
  return section !== "webhooks" || written === undefined || written === name
    ? []
    : [problemAt([section, name, "name"], `must be '${name}', the name of the declaration, or absent`)];
}

/** The refusal of changes of members that the configuration names. */
export function ofConfiguration(base: Settings, requested: readonly WantedMember[]): string[] {
  const where = base.source?.file ? `the configuration file ${base.source.file}` : "the service itself";
  return requested
    .filter((member) => isConfigured(base, member))
    .map((member) => `${pathOf(member).join(".")}: belongs to ${where}, and can be changed there only`);
}
