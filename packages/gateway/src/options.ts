import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Provider, Transport } from "@manifold-gateway/providers";
import type { Store } from "@manifold-gateway/store";
import type { SessionOptions } from "./account/sessions.ts";
import type { MediaOptions } from "./media/create.ts";
import type { Access } from "./ports/access.ts";
import type { Billing } from "./ports/billing.ts";
import type { Catalog } from "./ports/catalog.ts";
import type { Console } from "./ports/console.ts";
import type { HoldFigures, Limits } from "./ports/limits.ts";
import type { Log } from "./ports/log.ts";
import type { Observer } from "./ports/observer.ts";
import type { EntryHealth, Load, ProviderCredential } from "./ports/routing.ts";
import type { CatalogComparison, Metrics, Reload, Setting } from "./ports/services.ts";
import type { Surface } from "./route.ts";
import type { RoutingOptions } from "./routing/routing.ts";
import type { Accept } from "./socket/peer.ts";
import type { WebhookEndpoint } from "./webhooks/endpoint.ts";

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
  /**
   * Endpoints that events are sent to; the store has to be opened with the `alerts` for them: see `alertsFor`. Default:
   * none.
   */
  webhooks?: readonly WebhookEndpoint[];
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
  /** The last reload of each kind, newest first. Default: none is shown. */
  reloads?(): readonly Reload[];
  /** Reads the configuration anew and says what it would change of the catalog. Default: that is not shown. */
  compareCatalog?(): Promise<CatalogComparison>;
  /** Brings the catalog up to date, where a name is not known. Never rejects. Default: there is nowhere to look. */
  discover?(): Promise<void>;
  /** Milliseconds since the epoch; a clock of a test. */
  now?(): number;
  /** Milliseconds from any beginning, never set back: measures the stages of requests. Default: the machine's. */
  steady?(): number;
}

/** The gateway: one handler for every runtime, and one for Node that pays for no web classes. */
export interface Gateway {
  /** Web-standard: a request in, a response out. */
  fetch(request: Request): Response | Promise<Response>;
  /** For `node:http` servers. */
  node(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Checks whether a request of a `node:http` server has anything where credentials may be. One that has nothing can
   * be counted for its address before it is served.
   */
  hasCredential(request: IncomingMessage): boolean;
  /** Checks whether a request of a `node:http` server may become a WebSocket: for `shouldUpgradeCallback`. */
  upgrades(request: IncomingMessage): boolean;
  /** For the `upgrade` event of such a server; `accept` makes the WebSocket, once the request is found good. */
  upgrade(request: IncomingMessage, socket: Duplex, accept: Accept): void;
  /** The health of the catalog's entries, by their neutral ids; entries without history are left out. */
  health(): ReadonlyMap<string, EntryHealth>;
  /** The load of the providers that have a limit, by their ids. */
  loads(): ReadonlyMap<string, Load>;
  /** The health of the credentials of providers that have several. */
  credentials(): ProviderCredential[];
  /** Sends events to these endpoints from now on, and has the store write the events for them. */
  setWebhooks(endpoints: readonly WebhookEndpoint[]): void;
  /** Says at `/ready` that requests should go elsewhere; those that come are still answered. */
  markNotReady(): void;
  /** Turns new requests away and resolves when those in flight have ended. */
  drain(): Promise<void>;
  /** Lets the connections to providers go. */
  close(): Promise<void>;
}
