import { closestName } from "@manifold-gateway/core/capability";
import { matchesName } from "@manifold-gateway/gateway/admin";
import { presets } from "@manifold-gateway/providers";
import type { Store } from "@manifold-gateway/store";
import { toList } from "../build.ts";
import { type Problem, problemAt } from "../problem.ts";
import type { Config } from "../schema.ts";

/**
 * Names of models, and of protocols, that a configuration refers to and nothing has. `listed` has the names of models
 * that providers list.
 */
export const doubtsOfReferences = (config: Config, listed: readonly string[]): Problem[] => [
  ...doubtsOfModels(config, listed),
  ...doubtsOfProtocols(config),
];

/** A name and its place. */
interface Reference {
  path: readonly PropertyKey[];
  name: string;
}

function doubtsOfModels(config: Config, listed: readonly string[]): Problem[] {
  const configured = Object.entries(config.models).flatMap(([id, { aliases = [] }]) => [id, ...aliases]);
  const known = [...configured, ...listed];
  // Either may be a pattern.
  const isKnown = (name: string): boolean =>
    known.some((one) => matchesName(one, name) || matchesName(name, one));
  return modelsNamed(config).flatMap(({ path, name }) => {
    if (isKnown(name)) return [];
    const meant = closestName(name, known);
    const hint = meant === undefined ? "" : `. Did you mean '${meant}'?`;
    return [problemAt(path, `there is no model '${name}'${hint}`)];
  });
}

function modelsNamed({ models, accounts, keyDefaults }: Config): Reference[] {
  const ofKey = (path: readonly PropertyKey[], restrictions: { models?: unknown } | undefined): Reference[] =>
    ((restrictions?.models ?? []) as string[]).map((name, i) => ({
      path: [...path, "restrictions", "models", i],
      name,
    }));
  return [
    ...Object.entries(models).flatMap(([id, { fallbacks = [] }]) =>
      fallbacks.map(({ model }, i) => ({ path: ["models", id, "fallbacks", i], name: model })),
    ),
    ...Object.entries(accounts).flatMap(([id, { keys }]) =>
      Object.entries(keys).flatMap(([name, key]) =>
        typeof key === "string" ? [] : ofKey(["accounts", id, "keys", name], key.restrictions),
      ),
    ),
    ...Object.entries(keyDefaults).flatMap(([name, { restrictions }]) =>
      ofKey(["keyDefaults", name], restrictions),
    ),
  ];
}

/** Protocols of base paths and batches that their provider does not speak. */
const doubtsOfProtocols = ({ providers }: Config): Problem[] =>
  Object.entries(providers).flatMap(([id, { preset, protocol, basePaths = {}, batches }]) => {
    const spoken: readonly string[] = toList(protocol ?? presets[preset ?? ""]?.speaks ?? []);
    const named: Reference[] = [
      ...Object.keys(basePaths).map((name) => ({ path: ["basePaths", name], name })),
      ...((batches || undefined)?.protocols ?? []).map((name, i) => ({
        path: ["batches", "protocols", i],
        name,
      })),
    ];
    return named
      .filter(({ name }) => !spoken.includes(name))
      .map(({ path, name }) =>
        problemAt(
          ["providers", id, ...path],
          `'${id}' does not speak ${name}; it speaks ${spoken.join(", ") || "none"}`,
        ),
      );
  });

/** Names of accounts that neither the file nor the database has: what names them has no effect. */
export async function unknownAccounts(
  config: Config,
  { accounts }: Pick<Store, "accounts">,
): Promise<Problem[]> {
  const known = Object.keys(config.accounts);
  const found: Problem[] = [];
  for (const { path, name } of accountsNamed(config)) {
    if (known.includes(name) || (await accounts.get(name))) continue;
    const meant = closestName(name, known);
    const hint = meant === undefined ? "" : `. Did you mean '${meant}'?`;
    found.push(problemAt(path, `there is no account '${name}'${hint}`));
  }
  return found;
}

const accountsNamed = ({ guards, webhooks, keyDefaults }: Config): Reference[] => [
  ...guards.flatMap(({ accounts = [] }, i) =>
    accounts.map((name, n) => ({ path: ["guards", i, "accounts", n], name })),
  ),
  ...webhooks.flatMap(({ account }, i) =>
    account === undefined ? [] : [{ path: ["webhooks", i, "account"], name: account }],
  ),
  ...Object.keys(keyDefaults)
    .filter((name) => name !== "*")
    .map((name) => ({ path: ["keyDefaults", name], name })),
];
