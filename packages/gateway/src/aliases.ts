import { exactness, isPattern, matches } from "./patterns.ts";
import type { Model } from "./ports/catalog.ts";

/** Finds a model by a name that is not its id. */
export type AliasResolver = (name: string) => Model | undefined;

/**
 * Resolves the aliases of active models: exact ones first, then the pattern that says most of the name exactly, then
 * the first in the list. An id always goes before an alias.
 */
export function resolveAliases(models: readonly Model[]): AliasResolver {
  const exact = new Map<string, Model>();
  const patterns: { pattern: string; model: Model }[] = [];
  for (const model of models) {
    if (!model.isActive) continue;
    for (const alias of model.aliases ?? [])
      if (isPattern(alias)) patterns.push({ pattern: alias, model });
      else if (!exact.has(alias)) exact.set(alias, model);
  }
  patterns.sort((a, b) => exactness(b.pattern) - exactness(a.pattern));
  return (name) => exact.get(name) ?? patterns.find(({ pattern }) => matches(pattern, name))?.model;
}

/** A model as it is shown under one of its aliases. */
export const underAlias = ({ aliases: _, ...model }: Model, alias: string): Model => ({
  ...model,
  id: alias,
  aliasOf: model.id,
});

/** A model as lists show it: under its id, and under each alias that is a whole name. */
export const underAllNames = (model: Model): Model[] =>
  model.aliases
    ? [model, ...model.aliases.filter((alias) => !isPattern(alias)).map((alias) => underAlias(model, alias))]
    : [model];
