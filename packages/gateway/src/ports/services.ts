import type { Json } from "@manifold-gateway/core/codec";
import type { Provider, Transport } from "@manifold-gateway/providers";
import type { Store } from "@manifold-gateway/store";
import type { KyInstance } from "ky";
import type { Exchange } from "../http/exchange.ts";
import type { Access, KeyVault, Sessions } from "./access.ts";
import type { Billing } from "./billing.ts";
import type { Flights, Heavy, Places, Rates, Sockets, Streams } from "./bounds.ts";
import type { Catalog } from "./catalog.ts";
import type { Console } from "./console.ts";
import type { Events } from "./events.ts";
import type { HoldFigures, Limits } from "./limits.ts";
import type { Log, RefusalLog } from "./log.ts";
import type { Media } from "./media.ts";
import type { Observer } from "./observer.ts";
import type { Routing } from "./routing.ts";

/** The parts that surfaces are made of. Everything that has an effect comes in here. */
export interface Services {
  /** The models that the caller may use. */
  catalog: Catalog;
  /** All models: answers that name another model than the requested one are priced by it. */
  wholeCatalog: Catalog;
  providers: ReadonlyMap<string, Provider>;
  transport: Transport;
  /** The client for calls that are not on the byte path. */
  client: KyInstance;
  store: Store;
  access: Access;
  /** Absent: no sessions are accepted. */
  sessions?: Sessions;
  /** Makes and judges the sessions that browsers keep. Absent: there are none. */
  cookies?: Sessions;
  /** Absent: the console is not served. */
  console?: Console;
  /** Absent: keys cannot be revealed again. */
  keyVault?: KeyVault;
  billing: Billing;
  /** Judges an address that a caller wants a provider to fetch, and says what is wrong with it. */
  faultOfUrl(url: string): string | undefined;
  /** Absent: no media is served. */
  media?: Media;
  /** Bytes of request bodies that are held. */
  flights: Flights;
  /** Parses bodies that take long. */
  heavy: Heavy;
  /** The service's own address, as callers know it. */
  base?(): string;
  /** The address that a request comes from: the peer's, or what a trusted proxy says in its place. */
  addressOf(exchange: Exchange): string | undefined;
  streams: Streams;
  sockets: Sockets;
  /** The requests of each key that are under way. */
  places: Places;
  /** The rate at which each key has tokens counted. */
  counts: Rates;
  /** The rate at which refused credentials of each network are recorded. */
  refusals: Rates;
  routing: Routing;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds from any beginning, never set back, with fractions. */
  steady(): number;
  /** A new unique id: 32 lower-case hexadecimal digits. */
  id(): string;
  log: Log;
  refusalLog: RefusalLog;
  /** True if `/docs` and `/openapi.json` are shown. */
  docs: boolean;
  limits: Limits;
  /** See `GatewayOptions.admission`. */
  admission: "threshold" | "strict";
  holds: HoldFigures;
  /** Absent: nothing is observed, at present. */
  observer?: Observer | undefined;
  events: Events;
  /** Makes the answer of `/metrics`. Absent: nothing. */
  metrics?(): Promise<Metrics>;
  /** The settings in force. Absent: they are not shown. */
  configuration?(): readonly Setting[];
  /** See `GatewayOptions.reloads`. */
  reloads?(): readonly Reload[];
  /** Reads the configuration anew and says what it would change. Absent: that is not shown. */
  compareCatalog?(): Promise<CatalogComparison>;
  cors: Cors;
  /** See `GatewayOptions.discover`. */
  discover?(): Promise<void>;
  /** Answers a request that some route can explain, by these services with a few of them exchanged. */
  explain(request: Request, exchanged: Partial<Services>): Promise<Response>;
  /** The process is about to stop: requests should go elsewhere, and are still answered. */
  draining(): boolean;
  /** Turned away while the process is stopping. */
  stopping(): boolean;
  /** Counts work in flight, which a stop waits for. */
  track<T>(work: Promise<T>): Promise<T>;
}

/** A setting of the application around the service. */
export interface Setting {
  /** `server.port`. */
  path: string;
  /** Never a secret. */
  value: Json;
  isDefault: boolean;
  /** When a change of it takes effect: at a reload, or at the next start. Absent: that is not known. */
  effect?: "reload" | "restart";
  /** The value that waits for a restart; null where the setting was removed. Absent: none waits. */
  pending?: Json;
  /** What the setting is for. */
  about?: string;
  /** Where its value stands. Absent: it is a default, or the application's own. */
  origin?: { file?: string; line?: number; variables?: readonly string[] };
}

/** What came of a reload. */
export interface Reload {
  /** `signal`: the configuration was read anew; `catalog`: others changed the stored models. */
  by: "signal" | "catalog";
  /** Milliseconds since the epoch. */
  at: number;
  /** False if it was refused: the service continues as before. */
  isApplied: boolean;
  /** The ids of the models that changed, as far as this process knows. */
  changed: readonly string[];
  /** Errors and warnings, with their places in the file, and the answers of providers. No secrets. */
  findings: readonly string[];
}

/** What a configuration would change of a model once it is stored. */
export interface CatalogChange {
  model: string;
  /** The provider and the name there, of an entry; absent for what is the model's as a whole. */
  entry?: string;
  what: "added" | "changed" | "removed";
  /** The member that changes, such as `price.input`; absent where the whole is added or removed. */
  field?: string;
  /** Prices in US dollars. Absent: there is no such member. */
  before?: Json;
  after?: Json;
}

/** The configuration as it stands now, beside the catalog that is stored. */
export interface CatalogComparison {
  /** Why the configuration cannot be used, line by line. */
  problems: readonly string[];
  changes: readonly CatalogChange[];
}

/** Counts and durations as text, and its content type. */
export interface Metrics {
  type: string;
  text: string;
}

/** The rules for pages of other origins that call the service from a browser. */
export interface Cors {
  /**
   * Headers of every answer to a page; none where it may not read the answer, or where the request is not from a
   * page.
   */
  headers(exchange: Pick<Exchange, "header">): Record<string, string>;
  /** Answers a browser that asks beforehand. Whether it did. */
  preflight(exchange: Exchange): boolean;
}
