import type { Provider, Transport } from "@manifold/providers";
import type { Store } from "@manifold/store";
import type { KyInstance } from "ky";
import type { Access } from "./access.ts";
import type { Seals } from "./account/seals.ts";
import type { Sessions } from "./account/sessions.ts";
import type { Billing } from "./billing.ts";
import type { Catalog } from "./catalog.ts";
import type { Flights } from "./flights.ts";
import type { Heavy } from "./heavy.ts";
import type { Cors } from "./http/cors.ts";
import type { Exchange } from "./http/exchange.ts";
import type { Media } from "./media/media.ts";
import type { Observer } from "./observe/observer.ts";
import type { RefusalLog } from "./observe/refusals.ts";
import type { Rates } from "./rates.ts";
import type { Places } from "./restrictions/places.ts";
import type { Routing } from "./routing/routing.ts";
import type { Sockets } from "./socket/sockets.ts";
import type { Streams } from "./streams.ts";

/** What the surfaces are made of. Everything that has an effect comes in here. */
export interface Services {
  /** The models that the caller may use. */
  catalog: Catalog;
  /** All models: what answers are priced by that name another model than was asked for. */
  wholeCatalog: Catalog;
  providers: ReadonlyMap<string, Provider>;
  transport: Transport;
  /** The client for calls that are not on the byte path. */
  client: KyInstance;
  store: Store;
  access: Access;
  /** Absent: nobody signs in. */
  sessions?: Sessions;
  /** Absent: keys cannot be revealed again. */
  seals?: Seals;
  billing: Billing;
  /** What is wrong with an address that a caller wants a provider to fetch. */
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
  /** How often each key has tokens counted. */
  counts: Rates;
  /** How often refused credentials of each network are recorded. */
  refusals: Rates;
  routing: Routing;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A new unique id: 32 lower-case hexadecimal digits. */
  id(): string;
  log: Log;
  refusalLog: RefusalLog;
  /** Whether `/docs` and `/openapi.json` are shown. */
  docs: boolean;
  limits: Limits;
  /** See `GatewayOptions.admission`. */
  admission: "threshold" | "strict";
  holds: HoldFigures;
  /** Absent: nobody watches. */
  observer?: Observer;
  /** What is told at `/metrics`. Absent: nothing is. */
  metrics?(): Promise<Metrics>;
  cors: Cors;
  /** See `GatewayOptions.discover`. */
  discover?(): Promise<void>;
  /** The process is about to stop: requests should go elsewhere, and are still answered. */
  draining(): boolean;
  /** Turned away while the process is stopping. */
  stopping(): boolean;
  /** Counts work in flight, which a stop waits for. */
  track<T>(work: Promise<T>): Promise<T>;
}

/** Counts and durations as text, and its content type. */
export interface Metrics {
  type: string;
  text: string;
}

/** Structured lines: an event name and allow-listed fields. Never headers, queries, bodies or prompts. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** Times in milliseconds, sizes in bytes. */
export interface Limits {
  /** How many keys an account may have that are not revoked. */
  keys: number;
  /** The whole of one text generation. */
  generation: number;
  /** How long a generation goes on after its client left. */
  drain: number;
  /** How long a client may take nothing of an answer before its side is cut off; the generation goes on. */
  clientWriteTimeout: number;
  /** How long the first MiB of a request body may take; each further one may take an eighth of that. */
  clientBodyTimeout: number;
  /** Bytes of request bodies that are held at one time in one process, in all and of one key. */
  bodyBytes: number;
  bodyBytesPerKey: number;
  /** A whole upstream answer, and a whole stream. */
  answer: number;
  stream: number;
  /** How many requests of one key are under way at one time, in one process. */
  concurrentRequests: number;
  /** How many streams of one key run at one time, in one process. */
  streams: number;
  /** How often a key may have tokens counted in a minute, in one process. */
  counts: number;
  /** How many WebSockets of one key are open at one time, in one process. */
  webSockets: number;
  /** How long a WebSocket stays open on which nothing runs. */
  webSocketIdleTimeout: number;
}

/** What is held for where a request does not say what it will come to. */
export interface HoldFigures {
  /** Tokens of a picture, inline or by its address. */
  imageTokens: number;
  /** The most tokens of any other file; what is known only by its address or id is held at this. */
  fileTokens: number;
  /** Output tokens of an answer, where neither the request nor the model's entry sets a limit. */
  outputTokens: number;
  /** Calls of a hosted tool, where the request sets no limit. */
  toolCalls: number;
  /** Input tokens that a call of a hosted tool adds. */
  toolCallTokens: number;
}

export const defaultHoldFigures: HoldFigures = {
  imageTokens: 1_600,
  fileTokens: 100_000,
  outputTokens: 32_768,
  toolCalls: 10,
  toolCallTokens: 8_192,
};

export const defaultLimits: Limits = {
  keys: 100,
  generation: 15 * 60_000,
  drain: 10 * 60_000,
  clientWriteTimeout: 60_000,
  clientBodyTimeout: 60_000,
  bodyBytes: 512 * 1024 * 1024,
  bodyBytesPerKey: 256 * 1024 * 1024,
  answer: 32 * 1024 * 1024,
  stream: 256 * 1024 * 1024,
  concurrentRequests: 500,
  streams: 500,
  counts: 300,
  webSockets: 100,
  webSocketIdleTimeout: 10 * 60_000,
};
