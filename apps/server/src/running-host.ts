import { isDeepStrictEqual } from "node:util";
import { consoleFiles } from "@manifold-gateway/console";
import {
  type CatalogComparison,
  createGateway,
  createMemoryCache,
  createStoreCache,
  type DeclarationEditor,
  type Gateway,
  type GatewayOptions,
  type Invitation,
  type Log,
  type Reload,
  type WebhookEndpoint,
} from "@manifold-gateway/gateway";
import type { Transport } from "@manifold-gateway/providers";
import type { Store } from "@manifold-gateway/store";
import { errorFields } from "@manifold-gateway/store";
import { createDeclarationEditor } from "./catalog/declaration-editor.ts";
import { createDeclarationTests } from "./catalog/declaration-tests.ts";
import type { Finding, Occasion } from "./catalog/discovery.ts";
import { describeFindings } from "./catalog/discovery-report.ts";
import type { LiveCatalog } from "./catalog/live-catalog.ts";
import { toGatewayOptions } from "./config/build.ts";
import type { CurrentConfig } from "./config/current-config.ts";
import { waitingFor } from "./config/current-settings.ts";
import { warnOfDoubts } from "./config/doubts/warn.ts";
import { toGuards } from "./config/guards.ts";
import { toKeyDefaults } from "./config/key-defaults.ts";
import type { Settings } from "./config/load.ts";
import { ConfigError } from "./config/read.ts";
import type { Config } from "./config/schema.ts";
import { toWebhooks } from "./config/webhooks.ts";
import { accountIdIn } from "./configured-accounts.ts";
import { listen } from "./listener/listen.ts";
import { createHttpServer, type HttpServer } from "./listener/server.ts";
import { giveNotice, handOver, stopServer } from "./listener/stop.ts";
import { serveSockets } from "./listener/web-sockets.ts";
import { bucketOrigin, type OpenedMedia } from "./media-store.ts";
import { startRounds } from "./periodic/rounds.ts";
import { type Sweeps, startSweeps } from "./periodic/sweeps.ts";
import type { Member } from "./processes/member.ts";
import type { Reloaded, Service, StopReason } from "./processes/service.ts";
import type { Watching } from "./telemetry/start.ts";

/** What a host opens before it listens. */
export interface HostParts {
  current: CurrentConfig;
  store: Store;
  media: OpenedMedia;
  transport: Transport;
  live: LiveCatalog;
  watching: Watching;
  log: Log;
  member?: Member | undefined;
  invitation?: Invitation | undefined;
}

/** The webhook endpoints of a configuration, with the ids of their accounts. */
export const webhooksOf = (config: Config): WebhookEndpoint[] =>
  toWebhooks(config.webhooks, accountIdIn(config));

/** The defaults of new keys in a configuration, by the ids of their accounts. */
const keyDefaultsOf = (config: Config) => toKeyDefaults(config.keyDefaults, accountIdIn(config));

/** A running gateway. */
export class Host implements Service {
  readonly store: Store;
  /** Whether the console is served, at `/console`. */
  readonly hasConsole: boolean;
  /** The address on which it listens. */
  origin = "";
  readonly #parts: HostParts;
  /** The configuration at the start. */
  readonly #config: Config;
  readonly #gateway: Gateway;
  readonly #server: HttpServer;
  readonly #cutSockets: () => void;
  /** The last reload of each kind. */
  readonly #reloads = new Map<Reload["by"], Reload>();
  #isLeaving = false;
  #endRounds: () => Promise<void> = async () => {};
  #sweeps: Sweeps | undefined;

  /** Creates the gateway, and listens last, so that every request finds all of it. */
  static async start(parts: HostParts, roundMs: number): Promise<Host> {
    const host = new Host(parts);
    await host.#listen(roundMs);
    return host;
  }

  private constructor(parts: HostParts) {
    const { current, log, store, watching } = parts;
    this.#parts = parts;
    this.#config = current.inForce;
    this.store = store;
    const { console, ...options } = this.#gatewayOptions();
    this.hasConsole = console !== undefined;
    this.#gateway = createGateway({ ...options, ...(console && { console }) });
    watching.watch(this.#gateway);
    if (watching.origin) log.info({ origin: watching.origin }, "metrics listening");
    const { trustProxy, webSockets } = this.#config.server;
    this.#server = createHttpServer(this.#gateway, this.#config.limits, {
      trustProxy,
      hasCredential: this.#gateway.hasCredential,
      ...(webSockets && { upgrades: this.#gateway.upgrades }),
      isLeaving: () => this.#isLeaving,
      log,
    });
    this.#cutSockets = serveSockets(this.#server, this.#gateway);
  }

  /**
   * Serves these settings: their providers, models and webhooks, and the providers that their environment activates.
   */
  async reload(settings: Settings): Promise<Reloaded> {
    const changed = await this.#parts.live.apply(settings);
    this.#gateway.setWebhooks(webhooksOf(this.#parts.live.config()));
    await this.#discover("signal");
    const { live, store, log } = this.#parts;
    await warnOfDoubts(live, store, log);
    const waiting = waitingFor(this.#config, settings.config, false);
    return { changed, ...(waiting.length > 0 && { waiting }), findings: describeFindings(this.findings()) };
  }

  noteReload(reload: Reload): void {
    this.#reloads.set(reload.by, reload);
  }

  /** See `LiveCatalog`. */
  freeze(isOn: boolean): void {
    this.#parts.live.freeze(isOn);
  }

  /** The last answer of each activated provider. */
  findings(): Finding[] {
    return this.#parts.live.findings();
  }

  /** Stops gracefully: refuses new requests, completes those in flight, then closes the rest. */
  async stop(why: StopReason = "service"): Promise<void> {
    const { store, media, watching } = this.#parts;
    const { preStopDelay, grace } = this.#config.server;
    if (why === "service") await giveNotice(this.#gateway, preStopDelay);
    this.#isLeaving = true;
    const left = why === "replaced" ? await handOver(this.#server, grace) : grace;
    await stopServer(this.#server, this.#gateway, left, this.#cutSockets);
    await Promise.all([this.#endRounds(), this.#sweeps?.stop()]);
    await watching.flush();
    await this.#gateway.close();
    await media.close();
    await store.close();
    await watching.close();
  }

  async #listen(roundMs: number): Promise<void> {
    const { store, media, log } = this.#parts;
    this.origin = await listen(this.#server, this.#config.server);
    media.settle(this.origin);
    const discover = () => this.#discover("interval");
    const follow = () => this.#follow();
    this.#endRounds = startRounds({ store, log, discover, follow }, roundMs);
    this.#sweeps = startSweeps(store, log, this.#config.answerCache.bytes);
  }

  /** Lists the models of activated providers again, and serves them. */
  async #discover(occasion: Occasion): Promise<void> {
    const { live, log } = this.#parts;
    try {
      const changed = await live.discover(occasion);
      // A reload is recorded separately.
      if (occasion !== "signal") this.#noteModels(changed);
    } catch (error) {
      log.warn(errorFields(error), "model discovery failed");
    }
  }

  async #follow(): Promise<void> {
    const { live } = this.#parts;
    const before = live.config();
    const changed = await live.follow();
    if (!isDeepStrictEqual(before.webhooks, live.config().webhooks))
      this.#gateway.setWebhooks(webhooksOf(live.config()));
    this.#noteModels(changed);
  }

  /**
   * Records changes of the stored models, including those of this process: a check of the store may find such a change
   * before the request that made it continues.
   */
  #noteModels(changed: string[]): string[] {
    if (changed.length > 0)
      this.noteReload({ by: "catalog", at: Date.now(), isApplied: true, changed, findings: [] });
    return changed;
  }

  /** The changes that the file would make now: it may have changed since it was last read. */
  async #compareCatalog(): Promise<CatalogComparison> {
    const { current, live } = this.#parts;
    try {
      return { problems: [], changes: await live.compare(current.readAgain()) };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return { problems: error.message.split("\n"), changes: [] };
    }
  }

  /** The editor of what the database declares. */
  #editor(): DeclarationEditor {
    const { live, store, transport } = this.#parts;
    const { base, modelsOf } = live;
    return {
      ...createDeclarationEditor({ store, base, modelsOf, changed: () => this.#follow() }),
      ...createDeclarationTests({ store, base, config: live.config, transport }),
    };
  }

  #gatewayOptions(): GatewayOptions {
    const { current, media, transport, live, watching, log, member } = this.#parts;
    const { catalog, providers } = live;
    return {
      ...toGatewayOptions(this.#config),
      ...watching.options,
      ...{ providers, transport, log },
      catalog: { ...catalog, replace: (models) => this.#noteModels(catalog.replace(models)) },
      store: watching.store,
      media: media.options,
      ...answersOf(this.#config.answerCache, watching.store, log),
      guards: toGuards(this.#config.guards, accountIdIn(this.#config)),
      webhooks: webhooksOf(live.config()),
      keyDefaults: (accountId) => keyDefaultsOf(live.config())(accountId),
      base: () => this.#config.server.url ?? this.origin,
      configuration: () => current.describe(member !== undefined),
      reloads: () => [...this.#reloads.values()].toSorted((a, b) => b.at - a.at),
      compareCatalog: () => this.#compareCatalog(),
      ...(current.last.document !== undefined && { declarations: this.#editor() }),
      discover: () => this.#discover("unknown"),
      ...consoleOf(this.#config, this.#parts),
    };
  }
}

/** The cache of answers, if there is one. */
function answersOf(
  { in: place, bytes, share }: Config["answerCache"],
  store: Store,
  log: Log,
): Pick<GatewayOptions, "answers"> {
  if (place === "none") return {};
  const cache =
    place === "memory" ? createMemoryCache(bytes, Date.now) : createStoreCache(store, log, Date.now);
  return { answers: { cache, share } };
}

/** The console, if it is on and built. */
function consoleOf(
  { server, objects }: Config,
  { invitation, log }: Pick<HostParts, "invitation" | "log">,
): Pick<GatewayOptions, "console"> {
  if (!server.console) return {};
  const files = consoleFiles();
  if (!files) {
    log.warn({}, "the console is not built: npm run build -w packages/console");
    return {};
  }
  const mediaOrigin = bucketOrigin(objects);
  return {
    console: {
      files,
      insecureCookies: typeof server.console === "object" && server.console.insecureCookies,
      ...(invitation && { invitation }),
      ...(mediaOrigin && { mediaOrigin }),
    },
  };
}
