import { isDeepStrictEqual } from "node:util";
import {
  type Catalog,
  type CatalogChange,
  createCatalog,
  type Log,
  type Model,
} from "@manifold-gateway/gateway";
import {
  activePresets,
  isProtectedUrl,
  type Provider,
  presets,
  type Transport,
} from "@manifold-gateway/providers";
import type { Store } from "@manifold-gateway/store";
import { toModels, toProviders } from "../config/build.ts";
import type { CurrentConfig } from "../config/current-config.ts";
import { type Merged, mergeDeclarations } from "../config/declarations.ts";
import { differencesOf } from "../config/differences.ts";
import type { Settings } from "../config/load.ts";
import { variablesOfProviders } from "../config/origins.ts";
import { ConfigError } from "../config/read.ts";
import { recordConfig } from "../config/redact-secrets.ts";
import type { Config } from "../config/schema.ts";
import { UNPROTECTED } from "../config/wire.ts";
import { shareOf } from "../processes/count.ts";
import { createDiscovery, type Finding, type Occasion } from "./discovery.ts";

/** The models and providers that a process serves, as they change while it runs. */
export interface LiveCatalog {
  catalog: Catalog;
  providers: ReadonlyMap<string, Provider>;
  /**
   * Serves the configuration of these settings from now on, and the providers that their environment activates. Running
   * requests are not affected. Resolves to the ids of changed models.
   */
  apply(settings: Settings): Promise<string[]>;
  /** The changes that these settings would make to the stored models. */
  compare(settings: Settings): Promise<CatalogChange[]>;
  /** The settings in force, without the declarations of the database. */
  base(): Settings;
  /** The configuration in force, with them. */
  config(): Config;
  /** The models to store for other settings with declarations. */
  modelsOf(merged: Merged): Promise<Model[]>;
  /** Adopts changes of the store: of models, and of declarations. Resolves to the ids of changed models. */
  follow(): Promise<string[]>;
  /**
   * Freezes or unfreezes the models. While another process starts with new settings, it may store models whose
   * providers this process does not know.
   */
  freeze(isOn: boolean): void;
  /** Lists the models of activated providers, and serves them. Resolves to the ids of changed models. */
  discover(occasion: Occasion): Promise<string[]>;
  /** The last answer of each activated provider. */
  findings(): Finding[];
}

export interface LiveCatalogOptions {
  transport: Transport;
  log: Log;
  /** Whether the configuration's models only stand in for real ones: once any is found, lists hide them. */
  standIns?: boolean;
  /** The process's share of the providers' concurrency limits. Default: all of them. */
  member?: { number: number; of: number } | undefined;
  now?(): number;
}

/**
 * Stores the models of the current configuration, with those that activated providers list, and serves what is stored.
 * What is applied later replaces the current configuration.
 */
export async function openLiveCatalog(
  store: Store,
  current: CurrentConfig,
  { standIns = false, member = { number: 1, of: 1 }, ...options }: LiveCatalogOptions,
): Promise<LiveCatalog> {
  const providers = new Map<string, Provider>();
  const discovery = createDiscovery(activatedBy(current.last), options);
  await discovery.look("signal");
  const catalog = createCatalog([]);
  /** The models that this process last stored. */
  let stored = new Map<string, Model>();
  let seen = -1;
  /** Providers that are no longer declared but that served models may still name. */
  let leaving = new Set<string>();
  const base = (): Settings => ({ ...current.last, config: current.inForce });
  let merged: Merged = { settings: current.last, omissions: [] };
  /** The last change of declarations that is part of `merged`. */
  let declared = -1;
  let isFrozen = false;

  /** Reads the declarations and adds them to settings. True if they differ from the last ones. */
  const merge = async (base: Settings): Promise<boolean> => {
    if (base.document === undefined) {
      merged = { settings: base, omissions: [] };
      discovery.follow(activatedBy(base));
      return false;
    }
    const revision = await store.declarations.revision();
    const isNew = revision !== declared;
    merged = mergeDeclarations(base, await store.declarations.list());
    declared = revision;
    discovery.follow(activatedBy(merged.settings));
    if (isNew)
      for (const { declaration, reasons } of merged.omissions)
        options.log.warn(
          { section: declaration.section, name: declaration.name, reasons },
          "declaration left out",
        );
    return isNew;
  };
  /** Adds providers that are new or differ; all of them if they are read anew. */
  const addProviders = (before: Config["providers"] | undefined): readonly string[] => {
    const { config } = merged.settings;
    const named = toProviders(config);
    const activated = activatedBy(merged.settings);
    for (const provider of [...activated, ...named.values()]) {
      const { id } = provider;
      // An unchanged provider keeps its object, by which other state is found, such as the health of its credentials.
      const isSame = before && providers.has(id) && isDeepStrictEqual(before[id], config.providers[id]);
      if (!isSame) providers.set(id, partOf(provider, member));
    }
    return [...named.keys(), ...activated.map(({ id }) => id)];
  };
  /** Removes providers whose declarations were removed, once no served model names them. */
  const dropProviders = (): void => {
    const named = catalog.list().flatMap(({ isActive, entries }) => (isActive ? entries : []));
    const needed = new Set(named.map(({ provider }) => provider));
    for (const id of leaving)
      if (!needed.has(id)) {
        providers.delete(id);
        leaving.delete(id);
      }
  };
  const take = async (): Promise<string[]> => {
    if (isFrozen) return [];
    const revision = await store.catalog.revision();
    const models = await storedModels(store);
    seen = revision;
    // Declarations are read after the models that were stored with them.
    if (base().document !== undefined && (await store.declarations.revision()) !== declared) {
      const before = merged.settings.config.providers;
      await merge(base());
      const ids = addProviders(before);
      leaving = new Set([...providers.keys()].filter((id) => !ids.includes(id)));
      stored = await wanted();
    }
    const loaded = new Map(discovery.models().map(({ id, isLoaded }) => [id, isLoaded] as const));
    const changed = catalog.replace(
      models.map((model) => {
        const isLoaded = loaded.get(model.id);
        return isLoaded === undefined ? model : { ...model, isLoaded };
      }),
    );
    dropProviders();
    return changed;
  };
  /** All models that should be stored, by id; the configuration's override others. */
  const wanted = async ({ settings: { config } }: Merged = merged): Promise<Map<string, Model>> => {
    const found = discovery.models().map(({ isLoaded: _, ...model }): Model => model);
    const retained = await servedBy(store, discovery.unanswered());
    const configured = toModels(config);
    const isOfBase = ({ id }: Model): boolean => base().config.models[id] !== undefined;
    const isHidden = standIns && (found.length > 0 || !configured.every(isOfBase));
    const models = configured.map((model) =>
      isHidden && isOfBase(model) ? { ...model, isListed: false } : model,
    );
    return new Map([...retained, ...found, ...models].map((model) => [model.id, model] as const));
  };
  const apply = async (next: Settings): Promise<string[]> => {
    const before = merged;
    try {
      await merge(next);
      const at = Date.now();
      // Repeated if an operator declares something meanwhile: storing would make its models inactive.
      do {
        const models = await wanted();
        await store.catalog.replace([...models.values()], at, { actor: "configuration", at });
        stored = models;
      } while (
        next.document !== undefined &&
        declared !== (await store.declarations.revision()) &&
        (await merge(next))
      );
      await recordConfig(store, next.config, at);
    } catch (error) {
      merged = before;
      declared = -1;
      throw error;
    }
    current.replace(next);
    // From here on only the store is awaited. Providers are added before the models that name them.
    const ids = addProviders(undefined);
    const changed = await take();
    for (const id of providers.keys()) if (!ids.includes(id)) providers.delete(id);
    leaving.clear();
    return changed;
  };
  /** Stores the models that differ from those this process last stored; keeps what others changed since. */
  const renew = async (): Promise<string[]> => {
    const models = await wanted();
    const before = stored;
    const changed = [...models.values()].filter((model) => !isDeepStrictEqual(model, before.get(model.id)));
    const gone = [...before.values()].filter(({ id }) => !models.has(id));
    stored = models;
    const at = Date.now();
    const all = [...changed, ...gone.map((model) => ({ ...model, isActive: false }))];
    if (all.length > 0) {
      await store.catalog.upsert(all, at, { actor: "service", at });
      const ids = (list: readonly Model[]) => list.map(({ id }) => id);
      options.log.info({ found: ids(changed), gone: ids(gone) }, "discovered models changed");
    }
    return take();
  };

  let turn: Promise<unknown> = Promise.resolve();
  /** Runs changes one after the other, so that each starts from the result of the previous one. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  };
  await apply(current.last);
  return {
    catalog,
    providers,
    apply: (next) => inTurn(() => apply(next)),
    freeze: (isOn) => {
      isFrozen = isOn;
    },
    base,
    config: () => merged.settings.config,
    modelsOf: async (of) => [...(await wanted(of)).values()],
    compare: async (next) => {
      const all = mergeDeclarations(next, await store.declarations.list());
      const [models, stored] = await Promise.all([wanted(all), storedModels(store)]);
      return differencesOf(stored, [...models.values()]);
    },
    // Waits for a running `apply`: its stored models may name providers that are not added here yet.
    follow: () => inTurn(async () => ((await store.catalog.revision()) === seen ? [] : take())),
    discover: (occasion) => inTurn(async () => ((await discovery.look(occasion)) ? renew() : [])),
    findings: discovery.findings,
  };
}

/** A provider with one process's share of its concurrency limit. */
function partOf(provider: Provider, member: { number: number; of: number }): Provider {
  if (!provider.concurrency) return provider;
  const { maxConcurrent, queue, ...rest } = provider.concurrency;
  return {
    ...provider,
    concurrency: {
      ...rest,
      maxConcurrent: shareOf(maxConcurrent, member),
      ...(queue !== undefined && { queue: shareOf(queue, member) }),
    },
  };
}

/** The providers that the environment activates, unless the configuration declares them. */
function activatedBy({ config: { providers }, env, source }: Settings): Provider[] {
  const used = source && variablesOfProviders(source);
  const activated = activePresets(env, used).filter(({ id }) => providers[id] === undefined);
  const exposed = activated.find(({ origin }) => !isProtectedUrl(origin));
  if (exposed) throw new ConfigError(`${presets[exposed.id]?.originVariable}: ${UNPROTECTED}`);
  return activated;
}

/** The stored models that only these providers serve, in the form in which they are stored at a start. */
async function servedBy(store: Store, providers: ReadonlySet<string>): Promise<Model[]> {
  if (providers.size === 0) return [];
  const stored = await storedModels(store);
  return stored
    .filter(({ entries }) => entries.length > 0 && entries.every(({ provider }) => providers.has(provider)))
    .map(({ createdAt: _, updatedAt: _u, ...model }) => ({ ...model, revision: 1 }));
}

/** All models that the store has, inactive ones too, with its revisions and times. */
export async function storedModels(store: Store): Promise<Model[]> {
  const stored = await store.catalog.list<Omit<Model, "createdAt" | "updatedAt">>();
  return stored.map(({ createdAt, updatedAt, ...model }) => ({
    ...model,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }));
}
