import type { Model } from "../ports/catalog.ts";
import { exactness, isPattern, matches } from "./name-patterns.ts";

/** Finds a model by one of its aliases. */
export type AliasResolver = (name: string) => Model | undefined;

/**
 * Resolves aliases of active models. An exact alias goes before a pattern, a more exact pattern before others, and
 * the first model in the list before the rest. The caller looks for a model's id first.
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

/** A model as lists show it under one of its aliases. */
export const underAlias = ({ aliases: _, ...model }: Model, alias: string): Model => ({
  ...model,
  id: alias,
  aliasOf: model.id,
});

/** The entries of a model in lists: its id, and each alias without a wildcard. */
export const underAllNames = (model: Model): Model[] =>
  model.aliases
    ? [model, ...model.aliases.filter((alias) => !isPattern(alias)).map((alias) => underAlias(model, alias))]
    : [model];
