import { isDeepStrictEqual } from "node:util";
import type { DeclarationEffects, Model } from "@manifold-gateway/gateway";
import { differencesOf } from "../config/differences.ts";

type Entry = Model["entries"][number];

const isServing = ({ isActive, price, tiers }: Entry): boolean =>
  isActive && (price !== undefined || (tiers?.length ?? 0) > 0);
const isServed = ({ isActive, entries }: Model): boolean => isActive && entries.some(isServing);

const byId = (models: readonly Model[]): Map<string, Model> =>
  new Map(models.map((model) => [model.id, model] as const));

/** The models to store for a change: new and different ones, and removed ones as inactive. */
export function changedModels(before: readonly Model[], after: readonly Model[]): Model[] {
  const [had, has] = [byId(before), byId(after)];
  return [
    ...after.filter((model) => !isDeepStrictEqual(had.get(model.id), model)),
    ...before.filter(({ id }) => !has.has(id)).map((model) => ({ ...model, isActive: false })),
  ];
}

/** The effects of a change of models on callers, prices and routes. */
export function effectsOf(
  before: readonly Model[],
  after: readonly Model[],
): Pick<DeclarationEffects, "breaks" | "changes" | "routes"> {
  const [had, has] = [byId(before), byId(after)];
  const routes = [...new Set([...had.keys(), ...has.keys()])].flatMap((model) => {
    const [was, is] = [routeOf(had.get(model)), routeOf(has.get(model))];
    return isDeepStrictEqual(was, is) ? [] : [{ model, before: was, after: is }];
  });
  return {
    breaks: before.filter(isServed).flatMap((model) => breaksOf(model, has.get(model.id), has)),
    changes: differencesOf(before, after),
    routes,
  };
}

function breaksOf(model: Model, next: Model | undefined, all: ReadonlyMap<string, Model>): string[] {
  if (!next?.isActive) return [`models.${model.id}: would no longer be served`];
  if (!isServed(next)) return [`models.${model.id}: would have no active entry with a price`];
  const names = new Set([...all.values()].flatMap(({ id, aliases = [] }) => [id, ...aliases]));
  return (model.aliases ?? [])
    .filter((alias) => !names.has(alias))
    .map((alias) => `models.${model.id}: '${alias}' would no longer be a name of it`);
}

/** The entries that may serve a model, by priority. */
const routeOf = (model: Model | undefined): string[] =>
  !model?.isActive
    ? []
    : model.entries
        .filter(isServing)
        .toSorted((a, b) => a.priority - b.priority)
        .map(({ provider, name }) => `${provider} ${name}`);
