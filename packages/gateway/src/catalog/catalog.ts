import { isUnit, type Price, UNITS } from "@manifold-gateway/core/pricing";
import { z } from "zod";
import { checkOptions } from "../check-options.ts";
import type { Catalog, Entry, EntryOptions, Model, ModelOptions } from "../ports/catalog.ts";
import { resolveAliases } from "./aliases.ts";

/**
 * Creates a catalog that serves these models until others replace them.
 *
 *     createCatalog([{ id: "my-model", entries: [{ provider: "local", name: "llama3.3", price: {} }] }]);
 *
 * Throws a `TypeError` that names what is wrong with a model, and a `RangeError` for a price that is none: by another
 * unit than those of prices it would be free.
 */
export function createCatalog(declared: readonly ModelOptions[]): Catalog {
  const models = toModels(declared);
  let list = models;
  let byId = new Map(models.map((model) => [model.id, model]));
  let byAlias = resolveAliases(models);
  return {
    get: (name) => byId.get(name) ?? byAlias(name),
    list: () => list,
    replace(next) {
      const before = byId;
      const renewed = toModels(next).map((model) => renew(model, before.get(model.id)));
      byId = new Map(renewed.map((model) => [model.id, model]));
      byAlias = resolveAliases(renewed);
      list = renewed;
      const gone = [...before.keys()].filter((id) => !byId.has(id));
      const isNew = ({ id, revision }: Model): boolean => before.get(id)?.revision !== revision;
      return [...renewed.filter(isNew).map(({ id }) => id), ...gone];
    },
  };
}

const name = z.string().min(1);
/** What the catalog itself reads of models, and what would sort or skip them wrongly. */
const rules = z.array(
  z.looseObject({
    id: name,
    aliases: z.array(name).optional(),
    isActive: z.boolean().optional(),
    entries: z.array(
      z.looseObject({
        provider: name,
        name,
        priority: z.number().optional(),
        weight: z.number().min(0).optional(),
        isActive: z.boolean().optional(),
        speaks: z.array(name).optional(),
      }),
    ),
  }),
);

function toModels(declared: readonly ModelOptions[]): Model[] {
  checkOptions("createCatalog", rules, declared);
  const models = declared.map(toModel);
  for (const { id, entries } of models)
    for (const [at, { price = {}, tiers = [] }] of entries.entries())
      for (const one of [price, ...tiers.map((tier) => tier.price)])
        checkPrice(one, `models.${id}.entries.${at}: price`);
  return models;
}

const toModel = (declared: ModelOptions): Model => ({
  inputModalities: ["text"],
  outputModalities: ["text"],
  isActive: true,
  revision: 1,
  ...declared,
  entries: declared.entries.map(toEntry),
});

const toEntry = (declared: EntryOptions): Entry => ({ priority: 1, isActive: true, ...declared });

function checkPrice(price: Price, place: string): void {
  for (const [unit, rate] of Object.entries(price)) {
    if (!isUnit(unit))
      throw new RangeError(
        `${place}.${unit}: there is no such unit; those of prices are ${UNITS.join(", ")}.`,
      );
    if (!Number.isSafeInteger(rate) || rate < 0)
      throw new RangeError(`${place}.${unit}: ${rate} is no whole number of micro-USD for a million units.`);
  }
}

/** Keeps the object of a model that has not changed: its identity marks it as the same. */
function renew(model: Model, before: Model | undefined): Model {
  if (!before) return model;
  if (contentOf(model) === contentOf(before) && model.revision <= before.revision)
    return model.isLoaded === before.isLoaded ? before : { ...model, revision: before.revision };
  return { ...model, revision: Math.max(model.revision, before.revision + 1) };
}

function contentOf({ revision: _, createdAt: _c, updatedAt: _u, isLoaded: _l, ...content }: Model): string {
  return JSON.stringify(content, (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** The entry whose facts stand for a model without a request: the active one with the first priority. */
export const defaultEntry = (model: Model): Entry | undefined =>
  model.entries.filter((entry) => entry.isActive).sort((a, b) => a.priority - b.priority)[0];
