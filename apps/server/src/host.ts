import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createCatalog, createGateway, type Gateway, type Log, type Model } from "@manifold/gateway";
import { activePresets, createTransport } from "@manifold/providers";
import { openPostgres, openSqlite, type Store } from "@manifold/store";
import { toAccess, toModels, toProviders } from "./config/build.ts";
import type { Environment } from "./config/load.ts";
import type { Config } from "./config/schema.ts";
import { discoveredModels } from "./discovered.ts";
import { type OpenedMedia, openMedia } from "./media.ts";
import { createHttpServer } from "./server.ts";
import { stopServer } from "./stop.ts";

/** How often this process says that it lives, and looks after those that no longer do, in milliseconds. */
const HEARTBEAT = 5_000;
/** How long a request stays known by its name, and how often old ones are forgotten, in milliseconds. */
const REPEATS = { keep: 24 * 3_600_000, sweep: 3_600_000 };

/** A running gateway. */
export interface Host {
  origin: string;
  store: Store;
  /** Stops in order: no new requests, those in flight, then the rest. */
  stop(): Promise<void>;
}

export interface HostOptions {
  config: Config;
  env: Environment;
  log: Log;
  /** Makes accounts and keys before anything listens. */
  prepare(store: Store): Promise<void>;
}

/** The store that a configuration names, migrated and open. */
export function openStore(url: string): Promise<Store> {
  if (!url.startsWith("sqlite:")) return openPostgres({ url });
  return openSqlite({ path: url.slice("sqlite:".length) });
}

/** Starts in the order that keeps promises: storage, recovery, accounts, catalog, and only then the socket. */
export async function startHost({ config, env, log, prepare }: HostOptions): Promise<Host> {
  const store = await openStore(config.store);
  let media: OpenedMedia | undefined;
  try {
    await store.money.recover(Date.now());
    await prepare(store);
    media = await openMedia(config, log);
    const providers = toProviders(config);
    const activated = activePresets(env).filter(({ id }) => !providers.has(id));
    for (const provider of activated) providers.set(provider.id, provider);
    const transport = createTransport();
    const configured = toModels(config);
    const known = new Set(configured.map(({ id }) => id));
    const discovered = (await discoveredModels(activated, transport, log)).filter(({ id }) => !known.has(id));
    const catalog = createCatalog(await storedModels(store, [...configured, ...discovered]));
    const gateway = createGateway({
      store,
      catalog,
      providers,
      transport,
      admission: config.admission,
      limits: config.limits,
      media: media.options,
      ...(config.server.url !== undefined && { base: config.server.url }),
      ...toAccess(config),
      log,
    });
    const server = createHttpServer(gateway, config.limits);
    await listen(server, config.server.port, config.server.host);
    const { port } = server.address() as AddressInfo;
    const host = config.server.host.includes(":") ? `[${config.server.host}]` : config.server.host;
    const origin = `http://${host}:${port}`;
    media.settle(origin);
    const heartbeat = setInterval(() => {
      beat(store).catch((error: unknown) => log.warn({ error: String(error) }, "heartbeat failed"));
    }, HEARTBEAT);
    const sweep = setInterval(() => {
      store.repeats.expire(Date.now() - REPEATS.keep).catch((error: unknown) => {
        log.warn({ error: String(error) }, "old requests were not forgotten");
      });
      media?.sweep(Date.now()).catch((error: unknown) => {
        log.warn({ error: String(error) }, "old files were not removed");
      });
    }, REPEATS.sweep);
    const opened = media;
    return {
      origin,
      store,
      stop: () => stop(server, gateway, store, opened, [heartbeat, sweep], config.server.grace),
    };
  } catch (error) {
    await media?.close();
    await store.close();
    throw error;
  }
}

async function beat(store: Store): Promise<void> {
  const now = Date.now();
  await store.money.heartbeat(now);
  await store.money.recover(now);
}

/** The models with the revisions and times that the store keeps for them. */
async function storedModels(store: Store, models: Model[]): Promise<Model[]> {
  await store.catalog.replace(models as never, Date.now());
  const stored = new Map((await store.catalog.list()).map((model) => [model.id, model]));
  return models.map((model) => {
    const { revision, createdAt, updatedAt } = stored.get(model.id) ?? {
      revision: 1,
      createdAt: 0,
      updatedAt: 0,
    };
    return {
      ...model,
      revision,
      createdAt: new Date(createdAt).toISOString(),
      updatedAt: new Date(updatedAt).toISOString(),
    };
  });
}

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });

async function stop(
  server: Server,
  gateway: Gateway,
  store: Store,
  media: OpenedMedia,
  timers: NodeJS.Timeout[],
  grace: number,
): Promise<void> {
  await stopServer(server, gateway, grace);
  for (const timer of timers) clearInterval(timer);
  await gateway.close();
  await media.close();
  await store.close();
}
