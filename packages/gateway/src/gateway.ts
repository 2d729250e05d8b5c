import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import {
  createLineClient,
  createTransport,
  type Provider,
  type Transport,
} from "@manifold-gateway/providers";
import type { Store } from "@manifold-gateway/store";
import { toNodeHandler } from "h3";
import { createKeyVault } from "./account/key-vault.ts";
import { cookieSessions, createSessions, type SessionOptions } from "./account/sessions.ts";
import { createFlights } from "./flights.ts";
import { createHeavy } from "./heavy.ts";
import { createCallerAddress } from "./http/caller-address.ts";
import { createCors } from "./http/cors.ts";
import { asksForSocket, upgradeResponse } from "./http/upgrade.ts";
import { defaultHoldFigures, defaultLimits } from "./limits.ts";
import { createUrlJudge } from "./media/address.ts";
import { createMedia, type MediaOptions } from "./media/create.ts";
import { type Accepts, mount } from "./mount.ts";
import { combineObservers } from "./observe/combine.ts";
import { createEvents } from "./observe/events.ts";
import { createRefusalLog } from "./observe/refusals.ts";
import type { Access } from "./ports/access.ts";
import type { Billing } from "./ports/billing.ts";
import type { Catalog } from "./ports/catalog.ts";
import type { Console } from "./ports/console.ts";
import type { HoldFigures, Limits } from "./ports/limits.ts";
import type { Log } from "./ports/log.ts";
import type { Observer } from "./ports/observer.ts";
import type { EntryHealth, Load } from "./ports/routing.ts";
import type { Metrics, Services, Setting } from "./ports/services.ts";
import { createRates } from "./rates.ts";
import { createPlaces } from "./restrictions/places.ts";
import type { Surface } from "./route.ts";
import { createRouting, type RoutingOptions } from "./routing/routing.ts";
import type { Accept } from "./socket/peer.ts";
import { createSockets } from "./socket/sockets.ts";
import { storeAccess } from "./stored/access.ts";
import { storeBilling } from "./stored/billing.ts";
import { createStreams } from "./streams.ts";
import { accountSurface } from "./surfaces/account.ts";
import { adminSurface } from "./surfaces/admin.ts";
import { authSurface } from "./surfaces/auth.ts";
import { chatSurface } from "./surfaces/chatstyle.ts";
import { consoleSurface } from "./surfaces/console.ts";
import { generateSurface } from "./surfaces/genstyle.ts";
import { keysSurface } from "./surfaces/keys.ts";
import { messagesSurface } from "./surfaces/msgstyle.ts";
import { nativeSurface } from "./surfaces/native.ts";
import { objectsSurface } from "./surfaces/objects.ts";
import { serviceSurface } from "./surfaces/service.ts";
import { timeOrderedId } from "./time-ordered-id.ts";

/**
 * The parts a gateway is composed of: `store`, `catalog` and `providers`, and settings that differ from the defaults.
 */
export interface GatewayOptions {
  /** Accounts, keys, ledger and records. */
  store: Store;
  catalog: Catalog;
  providers: ReadonlyMap<string, Provider>;
  /** Default: one of its own. */
  transport?: Transport;
  /** See `storeBilling`. */
  admission?: "threshold" | "strict";
  /** Default: against the store's ledger. */
  billing?: Billing;
  /** Default: by the keys and accounts of the store. */
  access?: Access;
  routing?: Partial<RoutingOptions>;
  /** The figures to hold by where a request does not state its limit. */
  holds?: Partial<HoldFigures>;
  limits?: Partial<Limits>;
  /** Settings for serving images, videos, speech and files. Default: they are not. */
  media?: MediaOptions;
  /** The service's own address, such as `https://ai.example.com`. Default: the host that a caller names. */
  base?: string | (() => string);
  /** Ranges of the proxies in front, such as `10.0.0.0/8`: what they write into `x-forwarded-for` is believed. */
  trustProxy?: readonly string[];
  /** Origins, such as `https://app.example.com`, whose pages may call the service from a browser. Default: none. */
  corsOrigins?: readonly string[];
  /** Settings for the sessions that are accepted. Default: none. */
  sessions?: SessionOptions;
  /** Secrets of 32 bytes that keys are kept by, so that they can be revealed; the newest last. */
  keyEncryptionSecrets?: readonly Uint8Array[];
  /** The credential of the operator called `operator`. Default: there is none. */
  adminKey?: string;
  /** Further operators by their names, which the audit log shows. */
  adminKeys?: Readonly<Record<string, string>>;
  /** Surfaces beside those of the service: see `textSurface`. */
  surfaces?: readonly Surface[];
  /** The console's files, as `@manifold-gateway/console` has them, and who is let in by link. Default: there is no console. */
  console?: Console;
  /** True if `/docs` and `/openapi.json` are shown. Default: they are. */
  docs?: boolean;
  /** Default: silent. */
  log?: Log;
  /** Observes every request. Default: none. */
  observer?: Observer;
  /** Makes the answer of `/metrics`. Default: nothing. */
  metrics?(): Promise<Metrics>;
  /** The settings in force, which operators see. Default: none are shown. */
  configuration?(): readonly Setting[];
  /** Brings the catalog up to date, where a name is not known. Never rejects. Default: there is nowhere to look. */
  discover?(): Promise<void>;
  /** Milliseconds since the epoch; a clock of a test. */
  now?(): number;
}

/** The gateway: one handler for every runtime, and one for Node that pays for no web classes. */
export interface Gateway {
  /** Web-standard: a request in, a response out. */
  fetch(request: Request): Response | Promise<Response>;
  /** For `node:http` servers. */
  node(request: IncomingMessage, response: ServerResponse): void;
  /** Checks whether a request of a `node:http` server may become a WebSocket: for `shouldUpgradeCallback`. */
  upgrades(request: IncomingMessage): boolean;
  /** For the `upgrade` event of such a server; `accept` makes the WebSocket, once the request is found good. */
  upgrade(request: IncomingMessage, socket: Duplex, accept: Accept): void;
  /** The health of the catalog's entries, by their neutral ids; entries without history are left out. */
  health(): ReadonlyMap<string, EntryHealth>;
  /** The load of the providers that have a limit, by their ids. */
  loads(): ReadonlyMap<string, Load>;
  /** Says at `/ready` that requests should go elsewhere; those that come are still answered. */
  markNotReady(): void;
  /** Turns new requests away and resolves when those in flight have ended. */
  drain(): Promise<void>;
  /** Lets the connections to providers go. */
  close(): Promise<void>;
}

/** All surfaces, in the order in which they are documented. */
function surfacesWith(further: readonly Surface[]): readonly Surface[] {
  const all: readonly Surface[] = [
    nativeSurface,
    chatSurface,
    messagesSurface,
    generateSurface,
    ...further,
    accountSurface,
    authSurface,
    adminSurface,
    keysSurface,
    serviceSurface(() => all),
    objectsSurface,
    consoleSurface,
  ];
  return all;
}

/** The surfaces of the service itself. */
export const surfaces = surfacesWith([]);

/** The paths at which WebSockets are opened. */
const socketPathsOf = (all: readonly Surface[]): ReadonlySet<string> =>
  new Set(
    all.flatMap(({ prefix, routes }) => routes.filter(({ opens }) => opens).map(({ path }) => prefix + path)),
  );

/** The surfaces with those rows alone that can be explained. */
const explainedIn = (all: readonly Surface[]): readonly Surface[] =>
  all.map((surface) => ({ ...surface, routes: surface.routes.filter(({ explains }) => explains) }));

const pathOf = ({ url = "" }: IncomingMessage): string => url.split("?", 1)[0] as string;

const silent: Log = { info() {}, warn() {}, error() {} };

/** Composes the surfaces over a store, a catalog and providers; mount it in any server. */
export function createGateway(options: GatewayOptions): Gateway {
  const { store, catalog, providers, admission = "threshold", log = silent, now = Date.now } = options;
  const sessions = options.sessions && createSessions(options.sessions, now);
  const cookies = options.sessions && cookieSessions(options.sessions, now);
  const keyVault = createKeyVault(options.keyEncryptionSecrets ?? []);
  const { adminKey, base } = options;
  const callerAddress = createCallerAddress(options.trustProxy);
  const limits = { ...defaultLimits, ...options.limits };
  const transport = options.transport ?? createTransport();
  const events = createEvents(now);
  const observer = (): Observer | undefined => {
    const listening = events.observer();
    if (!listening) return options.observer;
    return options.observer ? combineObservers([options.observer, listening]) : listening;
  };
  const routing = createRouting(options.routing ?? {}, now, events.circuit);
  const media =
    options.media &&
    createMedia(options.media, {
      store,
      providers,
      transport,
      policy: admission,
      health: routing.breakers,
      log,
      now,
      observer: {
        started: () => undefined,
        stepped: (job) => observer()?.stepped?.(job),
      },
    });
  let leaving = false;
  let stopping = false;
  let running = 0;
  let idle: (() => void) | undefined;
  const services: Services = {
    catalog,
    wholeCatalog: catalog,
    providers,
    transport,
    client: createLineClient(transport),
    store,
    access:
      options.access ??
      storeAccess(store, {
        now,
        ...(sessions && { sessions }),
        ...(cookies && { cookies }),
        adminKeys: { ...options.adminKeys, ...(adminKey && { operator: adminKey }) },
      }),
    ...(sessions && { sessions }),
    ...(cookies && { cookies }),
    ...(options.console && { console: options.console }),
    ...(keyVault && { keyVault }),
    faultOfUrl: createUrlJudge(options.media?.allow),
    ...(media && { media }),
    ...(base !== undefined && {
      base: () => (typeof base === "string" ? base : base()).replace(/\/+$/, ""),
    }),
    addressOf: ({ address, header }) => callerAddress(address, header("x-forwarded-for")),
    billing: options.billing ?? storeBilling(store, { policy: admission, now }),
    now,
    id: () => timeOrderedId(now()),
    log,
    refusalLog: createRefusalLog(log),
    docs: options.docs ?? true,
    limits,
    admission,
    holds: { ...defaultHoldFigures, ...options.holds },
    heavy: createHeavy(),
    flights: createFlights({ most: limits.bodyBytes, perKey: limits.bodyBytesPerKey }),
    places: createPlaces(store, limits.concurrentRequests),
    streams: createStreams(limits.streams),
    sockets: createSockets(limits.webSockets),
    counts: createRates({ perMinute: limits.counts }, now),
    refusals: createRates({ perMinute: 10 }, now),
    routing,
    // Looked up for each request: while nobody observes, nothing is done for it.
    get observer() {
      return observer();
    },
    events,
    ...(options.metrics && { metrics: options.metrics }),
    ...(options.configuration && { configuration: options.configuration }),
    ...(options.discover && { discover: options.discover }),
    cors: createCors(options.corsOrigins),
    explain: async (request, exchanged) => mount(explained, { ...services, ...exchanged }).fetch(request),
    draining: () => leaving || stopping,
    stopping: () => stopping,
    async track(work) {
      running += 1;
      try {
        return await work;
      } finally {
        running -= 1;
        if (running === 0) idle?.();
      }
    },
  };
  const accepts: Accepts = new WeakMap();
  const all = options.surfaces ? surfacesWith(options.surfaces) : surfaces;
  const explained = explainedIn(all);
  const socketPaths = socketPathsOf(all);
  const app = mount(all, services, accepts);
  let handler: ReturnType<typeof toNodeHandler> | undefined;
  const node: Gateway["node"] = (request, response) => {
    // With the first request: elsewhere than on Node there are none.
    handler ??= toNodeHandler(app);
    void handler(request, response);
  };
  return {
    fetch: (request) => app.fetch(request),
    node,
    upgrades: (request) => asksForSocket(request) && socketPaths.has(pathOf(request)),
    upgrade(request, socket, accept) {
      const { response, release } = upgradeResponse(request, socket);
      accepts.set(request, (headers) => {
        release();
        return accept(headers);
      });
      node(request, response);
    },
    health: () => services.routing.breakers.all(),
    loads: () => services.routing.limiter.all(),
    markNotReady() {
      leaving = true;
    },
    async drain() {
      stopping = true;
      services.sockets.stop();
      events.stop();
      if (running > 0)
        await new Promise<void>((resolve) => {
          idle = resolve;
        });
      await media?.jobs.drain();
    },
    async close() {
      await media?.close();
      await transport.close();
    },
  };
}
