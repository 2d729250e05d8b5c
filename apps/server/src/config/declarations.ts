import { createKeyVault, type KeyVault } from "@manifold-gateway/gateway/admin";
import type { Declaration } from "@manifold-gateway/store";
import { toAccess } from "./build.ts";
import { checkDocument, type Settings } from "./load.ts";
import type { Problem } from "./problem.ts";
import { ConfigError } from "./read.ts";
import type { Config } from "./schema.ts";
import { openSecrets, pathOf, withSecretsOf } from "./sealed-secrets.ts";

/** The sections of a configuration whose members can be declared in the database. */
export const SECTIONS = ["providers", "models"] as const satisfies readonly (keyof Config)[];

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

type Document = Record<string, Record<string, unknown> | undefined>;

/** The key vault of a configuration, which its declarations' credentials need. */
export const vaultOf = ({ config }: Settings): KeyVault | undefined =>
  createKeyVault(toAccess(config).keyEncryptionSecrets ?? []);

/** True if the configuration itself names the member. */
export const isConfigured = (
  { document }: Settings,
  { section, name }: Pick<Declaration, "section" | "name">,
): boolean => Object.hasOwn((document as Document | undefined)?.[section] ?? {}, name);

/**
 * Adds declarations to a configuration, whose own members go first, and checks the whole. Declarations with problems
 * are left out, so that none of them can stop a start; problems of the configuration itself throw a `ConfigError`.
 */
export function mergeDeclarations(base: Settings, declarations: readonly Declaration[]): Merged {
  if (base.document === undefined) return { settings: base, omissions: [] };
  const omissions: Omission[] = [];
  const vault = declarations.some(({ sealed }) => sealed) ? vaultOf(base) : undefined;
  let entries: { declaration: Declaration; value: object }[] = [];
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
  for (;;) {
    const checked = checkDocument(withAll(base.document as Document, entries), base.env);
    if ("config" in checked) {
      const { providers, models } = checked.config;
      return { settings: { ...base, config: { ...base.config, providers, models } }, omissions };
    }
    const faulty = entries.filter(({ declaration }) => reasonsOf(declaration, checked.problems).length > 0);
    // A declaration can make the file invalid, by a name that both use: the newest is the likeliest one.
    const out = faulty.length > 0 ? faulty : entries.toSorted(byAge).slice(0, 1);
    if (out.length === 0) throw new ConfigError(sayProblems(base, checked.problems).join("\n"));
    for (const { declaration } of out) {
      const reasons = reasonsOf(declaration, checked.problems);
      const all = checked.problems.map(({ line }) => line);
      omissions.push({ declaration, reasons: reasons.length > 0 ? reasons : all });
    }
    entries = entries.filter((one) => !out.includes(one));
  }
}

type Entry = { declaration: Declaration; value: object };

const byAge = (a: Entry, b: Entry): number => b.declaration.revision - a.declaration.revision;

const withAll = (document: Document, entries: readonly Entry[]): Document => {
  const all = { ...document };
  for (const { declaration, value } of entries)
    all[declaration.section] = { ...all[declaration.section], [declaration.name]: value };
  return all;
};

const reasonsOf = ({ section, name }: Declaration, problems: readonly Problem[]): string[] =>
  problems.flatMap(({ path, line }) => (path[0] === section && path[1] === name ? [line] : []));

function sayProblems({ source }: Settings, problems: readonly Problem[]): string[] {
  const file = source?.file ?? "configuration";
  return [
    `${file} cannot be used:`,
    ...problems.map(({ path, line }) => `  ${placeOf(source, path)}${line}`),
  ];
}

/** The place of a field in the file, as far as the origins of its settings tell. */
function placeOf(source: Settings["source"], path: readonly PropertyKey[]): string {
  for (let length = path.length; length > 0; length--) {
    const at = path.slice(0, length).join(".");
    const [, origin] =
      Object.entries(source?.origins ?? {}).find(([key]) => key === at || key.startsWith(`${at}.`)) ?? [];
    if (origin?.file) return `${origin.file}:${origin.line}: `;
  }
  return "";
}
