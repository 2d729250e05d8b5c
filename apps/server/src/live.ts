import { type Catalog, createCatalog, type Log, type Model } from "@manifold/gateway";
import { activePresets, isProtectedUrl, type Provider, presets, type Transport } from "@manifold/providers";
import type { Store } from "@manifold/store";
import { toModels, toProviders } from "./config/build.ts";
import { ConfigError, type Environment } from "./config/load.ts";
import { recordConfig } from "./config/recorded.ts";
import type { Config } from "./config/schema.ts";
import { UNPROTECTED } from "./config/wire.ts";
import { discoveredModels } from "./discovered.ts";

/** The models and providers that a process serves, as they change while it runs. */
export interface Live {
  catalog: Catalog;
  providers: ReadonlyMap<string, Provider>;
  /** Serves what this configuration says from now on; requests that run are not touched. The ids of changed models. */
  apply(config: Config): Promise<string[]>;
  /** Takes over what others have changed in the store, if anything. The ids of changed models. */
  follow(): Promise<string[]>;
}

export interface LiveOptions {
  env: Environment;
  transport: Transport;
  log: Log;
}

/** Stores the models of a configuration, with those that activated providers list, and serves what is stored. */
export async function openLive(
  store: Store,
  config: Config,
  { env, transport, log }: LiveOptions,
): Promise<Live> {
  const providers = new Map<string, Provider>();
  const activated = activePresets(env).filter(({ id }) => config.providers[id] === undefined);
  const exposed = activated.find(({ origin }) => !isProtectedUrl(origin));
  if (exposed) throw new ConfigError(`${presets[exposed.id]?.originVariable}: ${UNPROTECTED}`);
  const { models: discovered, unheard } = await discoveredModels(activated, transport, log);
  const catalog = createCatalog([]);
  let seen = -1;

  const take = async (): Promise<string[]> => {
    const revision = await store.catalog.revision();
    const models = await storedModels(store);
    seen = revision;
    return catalog.replace(models);
  };
  const apply = async (next: Config): Promise<string[]> => {
    const named = toProviders(next);
    const models = toModels(next);
    const wanted = new Map([...discovered, ...models].map((model) => [model.id, model] as const));
    const kept = (await servedBy(store, unheard)).filter(({ id }) => !wanted.has(id));
    const at = Date.now();
    await store.catalog.replace([...wanted.values(), ...kept], at, { actor: "configuration", at });
    await recordConfig(store, next, at);
    // From here on nothing waits but for the store: providers come before the models that name them.
    for (const provider of [...activated, ...named.values()]) providers.set(provider.id, provider);
    const changed = await take();
    const declared = new Set([...named.keys(), ...activated.map(({ id }) => id)]);
    for (const id of providers.keys()) if (!declared.has(id)) providers.delete(id);
    return changed;
  };

  await apply(config);
  return {
    catalog,
    providers,
    apply,
    follow: async () => ((await store.catalog.revision()) === seen ? [] : take()),
  };
}

/** The stored models that these providers alone serve, as a start stores them. */
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
