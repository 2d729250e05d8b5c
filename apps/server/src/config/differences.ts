import { isDeepStrictEqual } from "node:util";
import type { CatalogChange, Model } from "@manifold-gateway/gateway";
import { dollarOf, type Unit } from "@manifold-gateway/store";
import { flatten } from "./flatten.ts";

type Values = ReadonlyMap<string, unknown>;

/** Prices in US dollars, as in a configuration. */
const inDollars = (price: object): object =>
  Object.fromEntries(
    Object.entries(price).map(([unit, micro]) => [unit, (micro as number) / dollarOf(unit as Unit)]),
  );

/** The members of a part as they are stored: as JSON, without undefined ones. */
const valuesOf = (part: object): Values => new Map(flatten(JSON.parse(JSON.stringify(part))));

function ofModel({
  id: _,
  entries: _e,
  revision: _r,
  createdAt: _c,
  updatedAt: _u,
  isLoaded: _l,
  ...rest
}: Model): Values {
  return valuesOf(rest);
}

function ofEntry({ provider: _, name: _n, price, tiers, ...rest }: Model["entries"][number]): Values {
  return valuesOf({
    ...rest,
    ...(price && { price: inDollars(price) }),
    ...(tiers && { tiers: tiers.map((tier) => ({ ...tier, price: inDollars(tier.price) })) }),
  });
}

type Place = Pick<CatalogChange, "model" | "entry">;

function changed(place: Place, before: Values, after: Values): CatalogChange[] {
  const fields = [...new Set([...before.keys(), ...after.keys()])];
  return fields.flatMap((field): CatalogChange[] => {
    const [was, is] = [before.get(field), after.get(field)];
    if (isDeepStrictEqual(was, is)) return [];
    return [
      {
        ...place,
        change: "changed",
        field,
        ...(was !== undefined && { before: was as never }),
        ...(is !== undefined && { after: is as never }),
      },
    ];
  });
}

/** The entries of a model by provider and name; several of the same name are counted. */
function entriesOf({ entries }: Model): Map<string, Values> {
  const found = new Map<string, Values>();
  for (const entry of entries) {
    const name = `${entry.provider} ${entry.name}`;
    let key = name;
    for (let n = 2; found.has(key); n++) key = `${name} (${n})`;
    found.set(key, ofEntry(entry));
  }
  return found;
}

/** The changes of a catalog if these models replace the stored ones: models, entries and prices. */
export function differencesOf(stored: readonly Model[], wanted: readonly Model[]): CatalogChange[] {
  const changes: CatalogChange[] = [];
  const known = new Map(stored.map((model) => [model.id, model]));
  for (const model of wanted) {
    const before = known.get(model.id);
    known.delete(model.id);
    if (!before) {
      changes.push({ model: model.id, change: "added" });
      continue;
    }
    changes.push(...changed({ model: model.id }, ofModel(before), ofModel(model)));
    const [had, has] = [entriesOf(before), entriesOf(model)];
    for (const entry of new Set([...had.keys(), ...has.keys()])) {
      const [was, is] = [had.get(entry), has.get(entry)];
      const place = { model: model.id, entry };
      if (was && is) changes.push(...changed(place, was, is));
      else changes.push({ ...place, change: is ? "added" : "removed" });
    }
  }
  for (const { id, isActive } of known.values()) if (isActive) changes.push({ model: id, change: "removed" });
  return changes;
}
