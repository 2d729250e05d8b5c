import type { Declaration, Store } from "@manifold-gateway/store";
import { keyVaultOf } from "./build.ts";
import { checkDocument, type Settings } from "./load.ts";
import type { Problem } from "./problem.ts";
import { ConfigError } from "./read.ts";
import type { Config } from "./schema.ts";
import { openSecrets, pathOf, withSecretsOf } from "./sealed-secrets.ts";
import { type Document, namingMembers, withMembers, writtenMembers } from "./sections.ts";

/** A declaration that is not in force, and the reasons. */
export interface Omission {
  declaration: Declaration;
  reasons: string[];
}

/** A configuration together with the declarations of the database. */
export interface Merged {
  settings: Settings;
  omissions: Omission[];
}

/** The problems of a configuration that cannot be used for reasons other than its declarations. */
export interface Unmerged {
  problems: Problem[];
  omissions: Omission[];
}

/** True if the configuration itself names the member. */
export const isConfigured = (base: Settings, { section, name }: Pick<Declaration, "section" | "name">) =>
  writtenMembers(base, section).some(([one]) => one === name);

/** The same as `tryMerge`, for a configuration that is used: its own problems throw a `ConfigError`. */
export function mergeDeclarations(base: Settings, declarations: readonly Declaration[]): Merged {
  const merged = tryMerge(base, declarations);
  if ("settings" in merged) return merged;
  throw new ConfigError(describeProblems(base, merged.problems).join("\n"));
}

/** A configuration with what a store declares; without it, if the file itself cannot be used. */
export async function declaredConfig(
  base: Settings,
  { declarations }: Pick<Store, "declarations">,
): Promise<Config> {
  const merged = tryMerge(base, await declarations.list());
  return "settings" in merged ? merged.settings.config : base.config;
}

/**
 * Adds declarations to a configuration, whose own members go first, and checks the whole. Declarations with problems
 * are left out, so that none of them can stop a start.
 */
export function tryMerge(base: Settings, declarations: readonly Declaration[]): Merged | Unmerged {
  if (base.document === undefined) return { settings: base, omissions: [] };
  const document = base.document as Document;
  const { omissions, entries: usable } = usableOf(base, declarations);
  let entries = usable;
  for (;;) {
    const members = entries.map(({ declaration: { section, name }, value }) => ({ section, name, value }));
    const checked = checkDocument(withMembers(document, members), base.env);
    if ("config" in checked) {
      const { providers, models, webhooks, keyDefaults } = checked.config;
      const config = { ...base.config, providers, models, webhooks, keyDefaults };
      return { settings: { ...base, config }, omissions };
    }
    const problems = checked.problems.map((problem) => namingMembers(problem, document, members));
    const faulty = entries.filter(({ declaration }) => reasonsOf(declaration, problems).length > 0);
    // A declaration can make the file invalid, by a name that both use. The newest is the most likely cause, so it is
    // left out first.
    const newest = entries.toSorted(byAge).slice(0, 1);
    const out = faulty.length > 0 ? faulty : areOfBase(base, problems) ? [] : newest;
    if (out.length === 0) return { problems, omissions };
    for (const { declaration } of out) {
      const reasons = reasonsOf(declaration, problems);
      const all = problems.map(({ line }) => line);
      omissions.push({ declaration, reasons: reasons.length > 0 ? reasons : all });
    }
    entries = entries.filter((one) => !out.includes(one));
  }
}

type Entry = { declaration: Declaration; value: object };

/** The declarations that can be added, with their credentials. */
function usableOf(base: Settings, declarations: readonly Declaration[]) {
  const omissions: Omission[] = [];
  const entries: Entry[] = [];
  const vault = declarations.some(({ sealed }) => sealed) ? keyVaultOf(base.config) : undefined;
  for (const declaration of declarations) {
    const secrets = openSecrets(declaration, vault);
    const at = pathOf(declaration).join(".");
    if (isConfigured(base, declaration))
      omissions.push({
        declaration,
        reasons: [`${at}: the configuration file names it too, and goes first`],
      });
    else if (!secrets)
      omissions.push({ declaration, reasons: [`${at}: no key encryption secret decrypts its credentials`] });
    else entries.push({ declaration, value: withSecretsOf(declaration.value ?? {}, secrets) });
  }
  return { omissions, entries };
}

const byAge = (a: Entry, b: Entry): number => b.declaration.revision - a.declaration.revision;

const reasonsOf = ({ section, name }: Declaration, problems: readonly Problem[]): string[] =>
  problems.flatMap(({ path, line }) => (path[0] === section && path[1] === name ? [line] : []));

/** True if the configuration has these problems even without declarations. */
function areOfBase({ document, env }: Settings, problems: readonly Problem[]): boolean {
  const checked = checkDocument(document, env);
  if ("config" in checked) return false;
  const places = new Set(checked.problems.map(placeKey));
  return problems.every((problem) => places.has(placeKey(problem)));
}

/** The place of a problem as text, by which problems are compared: their lines may differ in what they name. */
export const placeKey = ({ path }: Problem): string => JSON.stringify(path);

function describeProblems({ source }: Settings, problems: readonly Problem[]): string[] {
  const file = source?.file ?? "configuration";
  return [
    `${file} cannot be used:`,
    ...problems.map(({ path, line }) => `  ${placeOf(source, path)}${line}`),
  ];
}

/** The place of a field in the file, as far as the origins of its settings tell: `manifold.yaml:7: `. */
export function placeOf(source: Settings["source"], path: readonly PropertyKey[]): string {
  for (let length = path.length; length > 0; length--) {
    const at = path.slice(0, length).join(".");
    const [, origin] =
      Object.entries(source?.origins ?? {}).find(([key]) => key === at || key.startsWith(`${at}.`)) ?? [];
    if (origin?.file) return `${origin.file}:${origin.line}: `;
  }
  return "";
}
