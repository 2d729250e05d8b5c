import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Provider } from "@manifold-gateway/providers";
import { momentOf } from "../http/moments.ts";
import type { Entry, Model } from "../ports/catalog.ts";
import type { EntryHealth, Lesson } from "../ports/routing.ts";
import type { Services } from "../ports/services.ts";
import { entryId } from "./candidate.ts";

/** An entry and its model. */
export interface CatalogEntry {
  id: string;
  model: Model;
  entry: Entry;
}

/** All entries of the catalog, including those of inactive models. */
export const allEntries = ({ wholeCatalog }: Pick<Services, "wholeCatalog">): CatalogEntry[] =>
  wholeCatalog
    .list()
    .flatMap((model) => model.entries.map((entry) => ({ id: entryId(model, entry), model, entry })));

/** A lesson as operators see it. */
const toLearnt = ({ protocol, traits, because, at, until }: Lesson): JsonObject => ({
  protocol,
  traits: traits as JsonObject,
  because,
  at: momentOf(at),
  until: momentOf(until),
});

/** The state of an entry, with its health and what was learnt of its model in this process. */
export function toEntryState(
  { id, model, entry }: CatalogEntry,
  health: EntryHealth | undefined,
  lessons: readonly Lesson[] = [],
): JsonObject {
  const learnt = lessons.filter(({ provider, name }) => provider === entry.provider && name === entry.name);
  const { openSince, until, coolingUntil, ...known } = health ?? { circuit: "closed" as const, failures: 0 };
  return {
    id,
    model: model.id,
    name: entry.name,
    priority: entry.priority,
    isActive: entry.isActive,
    isModelActive: model.isActive,
    ...known,
    ...(openSince !== undefined && { openSince: momentOf(openSince) }),
    ...(until !== undefined && { until: momentOf(until) }),
    ...(coolingUntil !== undefined && { coolingUntil: momentOf(coolingUntil) }),
    ...(learnt.length > 0 && { learnt: learnt.map(toLearnt) }),
  };
}

/** The state of a provider. It shows the address's host and whether a key is set, since both may contain secrets. */
function toProviderState(
  { id, origin, speaks, key, credentials, identity, concurrency }: Provider,
  { routing: { limiter, credentials: pool } }: Pick<Services, "routing">,
  entries: readonly JsonObject[],
): JsonObject {
  const { running, waiting } = limiter.all().get(id) ?? { running: 0, waiting: 0 };
  return {
    id,
    host: new URL(origin).host,
    protocols: Object.keys(speaks),
    hasKey: identity !== undefined || (key !== undefined && key !== ""),
    ...(credentials && {
      credentials: credentials.map((credential) => {
        const { until, ...health } = pool.of(credential);
        const { name, weight } = credential;
        return {
          name,
          weight,
          calls: pool.callsOf(credential),
          ...health,
          ...(until !== undefined && { until: momentOf(until) }),
        };
      }),
    }),
    ...(concurrency && { concurrency: { most: concurrency.maxConcurrent, running, waiting } }),
    entries: [...entries],
  };
}

/**
 * The state of all providers and entries in this process. Entries of providers that are not configured are listed
 * separately.
 */
export function toState(
  services: Pick<Services, "routing" | "wholeCatalog" | "providers" | "now" | "store">,
): JsonObject {
  const { breakers, learnt } = services.routing;
  const health = breakers.all();
  const lessons = learnt?.all();
  const byProvider = new Map<string, JsonObject[]>();
  for (const placed of allEntries(services)) {
    const list = byProvider.get(placed.entry.provider) ?? [];
    byProvider.set(placed.entry.provider, list);
    list.push(toEntryState(placed, health.get(placed.id), lessons));
  }
  const providers = [...services.providers.values()].map((provider) =>
    toProviderState(provider, services, byProvider.get(provider.id) ?? []),
  );
  const homeless = [...byProvider].filter(([id]) => !services.providers.has(id));
  return {
    process: services.store.owner,
    at: momentOf(services.now()),
    providers,
    unknownProviders: homeless.map(([id, entries]) => ({ id, entries })),
  };
}
