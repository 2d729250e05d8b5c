import type { Protocols } from "@manifold-gateway/core";
import type { Json } from "@manifold-gateway/core/codec";
import type { Provider, Transport } from "@manifold-gateway/providers";
import type { Store } from "@manifold-gateway/store";
import type { KyInstance } from "ky";
import type { Exchange } from "../http/exchange.ts";
import type { Access, KeyDefaults, KeyVault, Sessions } from "./access.ts";
import type { Answers } from "./answer-cache.ts";
import type { Batches } from "./batches.ts";
import type { Billing } from "./billing.ts";
import type { BodyMemory, KeyLimits, ParseQueue, Rates, Sockets, Streams } from "./bounds.ts";
import type { Catalog } from "./catalog.ts";
import type { Console } from "./console.ts";
import type { DeclarationEditor } from "./declarations.ts";
import type { Deferral } from "./deferral.ts";
import type { Events } from "./events.ts";
import type { Guard } from "./guards.ts";
import type { HoldFigures, Limits } from "./limits.ts";
import type { Log, RefusalLog } from "./log.ts";
import type { Media } from "./media.ts";
import type { Observer } from "./observer.ts";
import type { Routing } from "./routing.ts";

/** The name of a service. */
export type ServiceName = keyof Services;

/** The dependencies of surfaces. Every side effect goes through them. */
export interface Services {
  /** The models that the caller may use. */
  catalog: Catalog;
  /** All models: an answer that names another model than the requested one has that model's price. */
  wholeCatalog: Catalog;
  /** The providers by id. */
  providers: ReadonlyMap<string, Provider>;
  /** The protocols that surfaces and providers may have. */
  protocols: Protocols;
  /** Sends requests to providers. */
  transport: Transport;
  /** The HTTP client for calls outside of the byte path. */
  client: KyInstance;
  /** Accounts, keys, the ledger and records. */
  store: Store;
  /** Identifies callers by their credentials. */
  access: Access;
  /** Absent: no session tokens are accepted. */
  sessions: Sessions | undefined;
  /** Issues and verifies the sessions of browsers. Absent: there are none. */
  cookies: Sessions | undefined;
  /** Absent: the console is not served. */
  console: Console | undefined;
  /** Absent: keys cannot be revealed. */
  keyVault: KeyVault | undefined;
  /** See `GatewayOptions.keyDefaults`. */
  keyDefaults(accountId: string): KeyDefaults | undefined;
  /** Keeps answers, to give them once more. Absent: none are kept. */
  answers: Answers | undefined;
  /** The addresses that check requests and replies; mostly none. */
  guards: readonly Guard[];
  /** Holds and charges credit. */
  billing: Billing;
  /** Checks an address that a caller wants a provider to fetch. Returns what is wrong with it. */
  faultOfUrl(url: string): string | undefined;
  /** Absent: media are not served. */
  media: Media | undefined;
  /** Absent: batches are not served. */
  batches: Batches | undefined;
  /** Answers text generations in place of calls to their providers. Absent, but for lines of batches. */
  deferral?: Deferral;
  /** The limit on the memory of request bodies. */
  bodyMemory: BodyMemory;
  /** Runs the parsing of large bodies, one at a time. */
  parseQueue: ParseQueue;
  /** The service's public address. */
  base: (() => string) | undefined;
  /** The client's address: the peer's, or the one that a trusted proxy reports. */
  addressOf(exchange: Exchange): string | undefined;
  /** The limit on running streams, by key. */
  streams: Streams;
  /** The limit on open WebSockets, by key. */
  sockets: Sockets;
  /** The limits on running requests, by key. */
  keyLimits: KeyLimits;
  /** The rate limit of token counts, by key. */
  counts: Rates;
  /** The rate limit of recorded refusals of credentials, by network. */
  refusals: Rates;
  /** Health and affinity of entries, and the rules of attempts. */
  routing: Routing;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds from an arbitrary beginning, with fractions; never set back. */
  steady(): number;
  /** A new unique id: 32 lower-case hexadecimal digits. */
  id(): string;
  /** The log of the process. */
  log: Log;
  /** The log of refusals that need no credential. */
  refusalLog: RefusalLog;
  /** `/docs` and `/openapi.json` are served. */
  docs: boolean;
  /** The limits of the service, defaults filled in. */
  limits: Limits;
  /** See `GatewayOptions.responsesReasoning`. */
  responsesReasoning: boolean;
  /** See `GatewayOptions.admission`. */
  admission: "threshold" | "strict";
  /** Figures for requests that do not state their limits, defaults filled in. */
  holds: HoldFigures;
  /** Absent: nothing is observed at present. */
  observer: Observer | undefined;
  /** Publishes what happens to listeners of the console. */
  events: Events;
  /** Creates the answer of `/metrics`. Absent: it has none. */
  metrics: (() => Promise<Metrics>) | undefined;
  /** The current settings. Absent: they are not shown. */
  configuration: (() => readonly Setting[]) | undefined;
  /** See `GatewayOptions.reloads`. */
  reloads: (() => readonly Reload[]) | undefined;
  /** Reads the configuration again and compares it with the catalog. Absent: that is not available. */
  compareCatalog: (() => Promise<CatalogComparison>) | undefined;
  /** See `GatewayOptions.declarations`. */
  declarations: DeclarationEditor | undefined;
  /** Answers browsers that call from pages of other origins. */
  cors: Cors;
  /** See `GatewayOptions.discover`. */
  discover: (() => Promise<void>) | undefined;
  /** Explains a request by a route that can, with some of these services replaced. */
  explain(request: Request, exchanged: Partial<Services>): Promise<Response>;
  /** The process will stop soon: requests should go elsewhere, but are still answered. */
  draining(): boolean;
  /** The process is stopping: new requests are refused. */
  stopping(): boolean;
  /** Counts a request, for which a stop then waits until `ended` is called. */
  begun(): void;
  ended(): void;
}

/** A setting of the application that runs the service. */
export interface Setting {
  /** The path of the setting, such as `server.port`. */
  path: string;
  /** Never a secret. */
  value: Json;
  /** Whether the value is the default. */
  isDefault: boolean;
  /** When a change takes effect: at a reload or at the next start. Absent: unknown. */
  effect?: "reload" | "restart";
  /** The value after the next start; null if the setting was removed. Absent: it is the same. */
  pending?: Json;
  /** What the setting is for. */
  about?: string;
  /** Where the value was set. Absent: it is a default, or the application's own. */
  origin?: { file?: string; line?: number; variables?: readonly string[] };
}

/** The result of a reload. */
export interface Reload {
  /** `signal`: the configuration was read again. `catalog`: the stored models changed otherwise. */
  by: "signal" | "catalog";
  /** Milliseconds since the epoch. */
  at: number;
  /** False if the reload was refused: the service continues as before. */
  isApplied: boolean;
  /** The ids of the changed models, as far as this process knows. */
  changed: readonly string[];
  /** Errors and warnings with their positions in the file, and the answers of providers. No secrets. */
  findings: readonly string[];
}

/** A change that a configuration would make to a model. */
export interface CatalogChange {
  /** The model's id. */
  model: string;
  /** The entry's provider and its name there; absent for members of the model itself. */
  entry?: string;
  /** What happens to the member, the entry or the model. */
  change: "added" | "changed" | "removed";
  /** The changed member, such as `price.input`; absent if a whole entry or model is added or removed. */
  field?: string;
  /** Prices in US dollars. Absent: the member does not exist. */
  before?: Json;
  /** The same under the new configuration. */
  after?: Json;
}

/** The present configuration compared with the stored catalog. */
export interface CatalogComparison {
  /** Why the configuration is invalid, line by line. */
  problems: readonly string[];
  /** All that would change, in the order of the configuration. */
  changes: readonly CatalogChange[];
}

/** The text of the metrics, and its content type. */
export interface Metrics {
  /** The content type of `text`. */
  type: string;
  /** The metrics in the format of Prometheus. */
  text: string;
}

/** The rules for calls from pages of other origins. */
export interface Cors {
  /** Headers of answers by which browsers decide who may read them. `undefined` if pages of no other origin may call. */
  headers(exchange: Pick<Exchange, "header">): Record<string, string> | undefined;
  /** Answers a preflight request. True if it was one. */
  preflight(exchange: Exchange): boolean;
}
