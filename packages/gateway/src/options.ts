import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Protocols } from "@manifold-gateway/core";
import type { Provider, Transport } from "@manifold-gateway/providers";
import type { Store } from "@manifold-gateway/store";
import type { SessionOptions } from "./account/sessions.ts";
import type { Accept } from "./http/peer.ts";
import type { MediaOptions } from "./media/create.ts";
import type { Access, KeyDefaults } from "./ports/access.ts";
import type { Answers } from "./ports/answer-cache.ts";
import type { Billing } from "./ports/billing.ts";
import type { Catalog } from "./ports/catalog.ts";
import type { Console } from "./ports/console.ts";
import type { DeclarationEditor } from "./ports/declarations.ts";
import type { Guard } from "./ports/guards.ts";
import type { HoldFigures, Limits } from "./ports/limits.ts";
import type { Log } from "./ports/log.ts";
import type { Observer } from "./ports/observer.ts";
import type { EntryHealth, Lesson, Load, ProviderCredential } from "./ports/routing.ts";
import type { CatalogComparison, Metrics, Reload, Setting } from "./ports/services.ts";
import type { Surface } from "./route.ts";
import type { RoutingOptions } from "./routing/routing.ts";
import type { WebhookEndpoint } from "./webhooks/endpoint.ts";

/** The parts of a gateway: `store`, `catalog` and `providers`, and settings that differ from the defaults. */
export interface GatewayOptions {
  /** The store of accounts, keys, the ledger and records. */
  store: Store;
  /** The models that callers may name: see `createCatalog`. */
  catalog: Catalog;
  /** The providers of the catalog's entries, as a list or by id: see `defineProvider`. */
  providers: readonly Provider[] | ReadonlyMap<string, Provider>;
  /** The protocols of surfaces and providers: see `createProtocols`. Default: the library's own. */
  protocols?: Protocols;
  /** Default: a transport of its own. */
  transport?: Transport;
  /** See `storeBilling`. */
  admission?: "threshold" | "strict";
  /**
   * True if `reasoning` of requests on the responses surface is translated for providers of other protocols. Default:
   * false; it is left out and listed as a loss.
   */
  responsesReasoning?: boolean;
  /** Addresses that check, mask or refuse the texts of requests and replies. Default: none. */
  guards?: readonly Guard[];
  /** Keeps answers for callers who ask for that: see `createMemoryCache`. Default: none are kept. */
  answers?: Answers;
  /** Default: billing with the store's ledger. */
  billing?: Billing;
  /** Default: access by the keys and accounts of the store. */
  access?: Access;
  /** How entries are chosen and tried; members that differ from the defaults. */
  routing?: Partial<RoutingOptions>;
  /** Figures for the hold of requests that do not state their limits. */
  holds?: Partial<HoldFigures>;
  /** Limits on bodies, streams, sockets and times; members that differ from the defaults. */
  limits?: Partial<Limits>;
  /** Settings for serving images, videos, speech and files. Default: they are not served. */
  media?: MediaOptions;
  /**
   * Endpoints that receive events. The store has to be opened with their `alerts`: see `alertsFor`. Default: none.
   */
  webhooks?: readonly WebhookEndpoint[];
  /** The service's public address, such as `https://ai.example.com`. Default: the host in the request. */
  base?: string | (() => string);
  /** Address ranges of the proxies in front, such as `10.0.0.0/8`, whose `x-forwarded-for` is trusted. */
  trustProxy?: readonly string[];
  /** Origins, such as `https://app.example.com`, whose pages may call the service from a browser. Default: none. */
  corsOrigins?: readonly string[];
  /** Settings for accepting sessions. Default: none are accepted. */
  sessions?: SessionOptions;
  /** Secrets of 32 bytes, newest last, that encrypt keys so that they can be revealed. */
  keyEncryptionSecrets?: readonly Uint8Array[];
  /** The caps and restrictions of an account's new keys where their request does not name others. Default: none. */
  keyDefaults?(accountId: string): KeyDefaults | undefined;
  /** The credential of the operator named `operator`. Default: none. */
  adminKey?: string;
  /** Credentials of further operators by name. The audit log shows the names. */
  adminKeys?: Readonly<Record<string, string>>;
  /** Surfaces besides those of the service: see `textSurface`. */
  surfaces?: readonly Surface[];
  /** The console's files, from `@manifold-gateway/console`, and its invitation. Default: there is no console. */
  console?: Console;
  /** True if `/docs` and `/openapi.json` are served. Default: true. */
  docs?: boolean;
  /** Default: silent. */
  log?: Log;
  /** Observes every request. Default: none. */
  observer?: Observer;
  /** Creates the answer of `/metrics`. Default: it has none. */
  metrics?(): Promise<Metrics>;
  /** The current settings, for operators. Default: none are shown. */
  configuration?(): readonly Setting[];
  /** The last reload of each kind, newest first. Default: none is shown. */
  reloads?(): readonly Reload[];
  /** Reads the configuration again and compares it with the catalog. Default: that is not available. */
  compareCatalog?(): Promise<CatalogComparison>;
  /** Changes parts of the configuration while the service runs. Default: that is not available. */
  declarations?: DeclarationEditor;
  /** Updates the catalog when a model name is unknown. Never rejects. Default: there is no discovery. */
  discover?(): Promise<void>;
  /** Milliseconds since the epoch; tests set a clock here. */
  now?(): number;
  /**
   * Milliseconds from an arbitrary beginning, never set back, which measure durations and rates. Default: the
   * machine's clock.
   */
  steady?(): number;
}

/** The gateway: one handler for every runtime, and one for Node, which does without web classes. */
export interface Gateway {
  /** Answers a web-standard request. */
  fetch(request: Request): Response | Promise<Response>;
  /** Answers a request of a `node:http` server. */
  node(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Checks whether a request of a `node:http` server has a header or parameter that may hold a credential. A request
   * without one can be counted for its address before it is served.
   */
  hasCredential(request: IncomingMessage): boolean;
  /** Checks whether a request of a `node:http` server may become a WebSocket; for `shouldUpgradeCallback`. */
  upgrades(request: IncomingMessage): boolean;
  /** Handles the `upgrade` event of such a server. `accept` creates the WebSocket once the request was accepted. */
  upgrade(request: IncomingMessage, socket: Duplex, accept: Accept): void;
  /** The health of entries, by neutral id, without entries that have no history. */
  health(): ReadonlyMap<string, EntryHealth>;
  /** The load of providers with a limit, by id. */
  loads(): ReadonlyMap<string, Load>;
  /** The health of the credentials of providers that have several. */
  credentials(): ProviderCredential[];
  /** What refusals of providers have shown of their models, in this process. */
  learntTraits(): Lesson[];
  /** Replaces the webhook endpoints, and makes the store write the events for them. */
  setWebhooks(endpoints: readonly WebhookEndpoint[]): void;
  /** Makes `/ready` report that requests should go elsewhere. Requests are still answered. */
  markNotReady(): void;
  /** Refuses new requests. Resolves when the running ones have ended. */
  drain(): Promise<void>;
  /** Closes the connections to providers. */
  close(): Promise<void>;
}
