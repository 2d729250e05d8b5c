import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { consoleFiles } from "@manifold-gateway/console";
import {
  alertsFor,
  type CatalogComparison,
  createGateway,
  type Gateway,
  type Invitation,
  type Log,
  type Reload,
  type WebhookEndpoint,
} from "@manifold-gateway/gateway";
import { createKeyVault } from "@manifold-gateway/gateway/admin";
import { createTransport } from "@manifold-gateway/providers";
import { openPostgres, openSqlite, type Store, type StoreOptions } from "@manifold-gateway/store";
import type { Finding, Occasion } from "./catalog/discovery.ts";
import { openLive } from "./catalog/live-catalog.ts";
import { toAccess } from "./config/build.ts";
import { settingsOf } from "./config/current-settings.ts";
import { loadConfig } from "./config/load.ts";
import type { Source } from "./config/origins.ts";
import { ConfigError } from "./config/read.ts";
import { reloaded } from "./config/reload.ts";
import type { Config } from "./config/schema.ts";
import type { Environment } from "./config/variables.ts";
import { toWebhooks } from "./config/webhooks.ts";
import { accountIdOf } from "./configured-accounts.ts";
import { createHttpServer } from "./listener/server.ts";
import { giveNotice, handOver, stopServer } from "./listener/stop.ts";
import { serveSockets } from "./listener/web-sockets.ts";
import { bucketOrigin, type OpenedMedia, openMedia } from "./media-store.ts";
import type { Member } from "./processes/member.ts";
import { startSweeps } from "./sweeps.ts";
import { startTelemetry, type Watching } from "./telemetry/start.ts";
import { warnOfLostKeys } from "./unreadable-keys.ts";

/** The interval of checks for holds of dead processes, pending settlements and changes of the catalog. */
const ROUND_MS = 5_000;

/** A running gateway. */
export interface Host {
  origin: string;
  store: Store;
  /** Whether the console is served, at `/console`. */
  hasConsole: boolean;
  /**
   * Serves the providers, models and webhooks of this configuration from now on, and the providers that this
   * environment activates. Resolves to the ids of the models that changed.
   */
  reload(config: Config, env?: Environment, source?: Source): Promise<string[]>;
  /** Stores the outcome of a reload for operators. */
  noteReload(reload: Reload): void;
  /** See `Live`. */
  stay(isOn: boolean): void;
  /** Lists the models of activated providers again, and serves them. */
  discover(): Promise<void>;
  /** The last answer of each activated provider. */
  findings(): Finding[];
  /** Stops gracefully: refuses new requests, completes those in flight, then closes the rest. */
  stop(why?: StopReason): Promise<void>;
}

/**
 * `service`: no other process serves here, so `/ready` announces the stop. `replaced`: other processes take the new
 * connections. `orphaned`: the supervisor has ended, and another one may be waiting for the port.
 */
export type StopReason = "service" | "replaced" | "orphaned";

export interface HostOptions {
  config: Config;
  env: Environment;
  /** The sources of the configuration. Default: unknown. */
  source?: Source | undefined;
  log: Log;
  /** See `LiveOptions`. */
  standIns?: boolean;
  /** The person whom this start's link signs in to the console, on the machine itself. */
  invitation?(): Invitation | undefined;
  /** Creates accounts and keys before anything listens. */
  prepare(store: Store): Promise<void>;
  /** The identity of this process, if it is one of several. */
  member?: Member;
  /** Opens the store; replaced in tests. */
  open?: typeof openStore;
  roundMs?: number;
}

/** Opens and migrates the store that a configuration names. */
export function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  if (!url.startsWith("sqlite:")) return openPostgres({ url, calls: "./data/calls", ...options });
  return openSqlite({ path: url.slice("sqlite:".length), ...options });
}

/** The webhook endpoints of a configuration, with the ids of their accounts. */
const webhooksOf = ({ webhooks, accounts }: Config): WebhookEndpoint[] =>
  toWebhooks(webhooks, (name) => (accounts[name] ? accountIdOf(name) : name));

/** Starts storage, recovery, accounts and catalog, and listens last, so that every request finds all of them. */
export async function startHost({
  config,
  env,
  source = { origins: {} },
  log,
  standIns = false,
  prepare,
  invitation = () => undefined,
  member,
  open = openStore,
  roundMs = ROUND_MS,
}: HostOptions): Promise<Host> {
  const webhooks = webhooksOf(config);
  const { records, calls } = config;
  const folder = calls === undefined ? {} : { calls };
  const store = await open(config.store, { log, records, alerts: alertsFor(webhooks), ...folder });
  store.startHeartbeat();
  let media: OpenedMedia | undefined;
  let watching: Watching | undefined;
  try {
    await store.money.recover(Date.now());
    await prepare(store);
    // Of several processes only the first logs it.
    if (!member || member.number === 1)
      await warnOfLostKeys(store, createKeyVault(toAccess(config).keyEncryptionSecrets ?? []), log);
    media = await openMedia(config, member?.linkSecret);
    const transport = createTransport();
    const live = await openLive(store, config, { env, transport, log, standIns, member });
    const { catalog, providers } = live;
    const discover = (occasion: Occasion): Promise<void> =>
      live
        .discover(occasion)
        .catch((error: unknown) => log.warn({ error: String(error) }, "model discovery failed"));
    watching = await startTelemetry(config.telemetry, store, log, member);
    let origin = "";
    let inForce = config;
    let lastRead = config;
    const reloads = new Map<Reload["by"], Reload>();
    const noteReload = (reload: Reload): void => void reloads.set(reload.by, reload);
    let { origins } = source;
    let variables = env;
    /** The changes that the file would make now: it may have changed since it was last read. */
    const compare = async (): Promise<CatalogComparison> => {
      try {
        const next = source.file === undefined ? inForce : loadConfig(source.file, variables);
        return { problems: [], changes: await live.compare(next) };
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return { problems: error.message.split("\n"), changes: [] };
      }
    };
    const files = config.server.console ? consoleFiles() : undefined;
    if (config.server.console && !files)
      log.warn({}, "the console is not built: npm run build -w packages/console");
    const invited = invitation();
    const mediaOrigin = bucketOrigin(config.objects);
    const gateway = createGateway({
      ...(files && {
        console: {
          files,
          insecureCookies: typeof config.server.console === "object" && config.server.console.insecureCookies,
          ...(invited && { invitation: invited }),
          ...(mediaOrigin && { mediaOrigin }),
        },
      }),
      ...watching.options,
      store: watching.store,
      catalog,
      providers,
      transport,
      admission: config.admission,
      limits: config.limits,
      holds: config.holds,
      routing: config.routing,
      media: media.options,
      webhooks,
      base: () => config.server.url ?? origin,
      corsOrigins: config.server.corsOrigins,
      trustProxy: config.server.trustProxy,
      docs: config.server.docs,
      ...toAccess(config),
      configuration: () =>
        settingsOf(inForce, origins, { next: lastRead, isOneOfSeveral: member !== undefined }),
      reloads: () => [...reloads.values()].toSorted((a, b) => b.at - a.at),
      compareCatalog: compare,
      discover: () => discover("unknown"),
      log,
    });
    watching.watch(gateway);
    if (watching.origin) log.info({ origin: watching.origin }, "metrics listening");
    let isLeaving = false;
    const server = createHttpServer(gateway, config.limits, {
      trustProxy: config.server.trustProxy,
      hasCredential: gateway.hasCredential,
      ...(config.server.webSockets && { upgrades: gateway.upgrades }),
      isLeaving: () => isLeaving,
      log,
    });
    const cutSockets = serveSockets(server, gateway);
    await listen(server, config.server.port, config.server.host);
    const { port } = server.address() as AddressInfo;
    const host = config.server.host.includes(":") ? `[${config.server.host}]` : config.server.host;
    origin = `http://${host}:${port}`;
    media.settle(origin);
    let isOutdated = false;
    const look = async (): Promise<void> => {
      await settleAndRecover(store);
      if (!(await store.isOutdated()) || isOutdated) return;
      isOutdated = true;
      log.warn({}, "a newer version has migrated the database; replace this process");
    };
    const follow = async (): Promise<void> => {
      const changed = await live.follow();
      if (changed.length > 0)
        noteReload({ by: "catalog", at: Date.now(), isApplied: true, changed, findings: [] });
    };
    const round = setInterval(() => {
      look().catch((error: unknown) => log.warn({ error: String(error) }, "recovery failed"));
      discover("interval");
      follow().catch((error: unknown) => log.warn({ error: String(error) }, "catalog refresh failed"));
    }, roundMs);
    const sweeps = startSweeps(store, log);
    const opened = media;
    const watched = watching;
    const rest = async (): Promise<void> => {
      clearInterval(round);
      await sweeps.stop();
      await watched.flush();
    };
    return {
      origin,
      store,
      hasConsole: files !== undefined,
      async reload(next, nextEnv = variables, from) {
        const changed = await live.apply(next, nextEnv);
        gateway.setWebhooks(webhooksOf(next));
        variables = nextEnv;
        origins = { ...origins, ...from?.origins };
        inForce = reloaded(config, next);
        lastRead = next;
        return changed;
      },
      noteReload,
      stay: live.stay,
      discover: () => discover("signal"),
      findings: live.findings,
      stop: async (why = "service") => {
        if (why === "service") await giveNotice(gateway, config.server.preStopDelay);
        isLeaving = true;
        const grace = why === "replaced" ? await handOver(server, config.server.grace) : config.server.grace;
        await stop(server, cutSockets, gateway, store, opened, rest, grace);
        await watched.close();
      },
    };
  } catch (error) {
    await watching?.close();
    await media?.close();
    await store.close();
    throw error;
  }
}

/** Writes pending settlements, and settles the work of dead processes. */
async function settleAndRecover(store: Store): Promise<void> {
  const now = Date.now();
  await store.money.heartbeat(now);
  await store.money.recover(now);
}

/**
 * The most connections that wait to be accepted. Of a larger burst the system drops the first packets, and clients wait
 * for seconds until they send them again. Node's default is 511; the system has a limit of its own (`somaxconn`).
 */
const BACKLOG = 16_384;

const inUse = (host: string, port: number): string =>
  `${host}:${port} is in use; choose another port by --port, by server.port of the configuration, or by PORT without one`;

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "EADDRINUSE" ? new ConfigError(inUse(host, port)) : error),
    );
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.removeAllListeners("error");
      resolve();
    });
  });

async function stop(
  server: Server,
  cutSockets: () => void,
  gateway: Gateway,
  store: Store,
  media: OpenedMedia,
  rest: () => Promise<void>,
  grace: number,
): Promise<void> {
  await stopServer(server, gateway, grace, cutSockets);
  await rest();
  await gateway.close();
  await media.close();
  await store.close();
}
