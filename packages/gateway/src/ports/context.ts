import type { AnyCodec } from "@manifold-gateway/core";
import type { Tags } from "@manifold-gateway/store";
import type { Exchange } from "../http/exchange.ts";
import type { Caller } from "./access.ts";
import type { Flight, Place } from "./bounds.ts";
import type { Watch } from "./observer.ts";
import type { Services } from "./services.ts";

/**
 * The argument of a handler. What operations put into it are objects with methods, and no functions: V8 lets a function
 * that is a member of it survive until the next full collection, and with the function everything of its request.
 */
export interface Context {
  /** The `x-request-id`, which every log line about the request has as `request`. */
  id: string;
  exchange: Exchange;
  services: Services;
  /** Absent on open routes and the operator's. */
  caller: Caller;
  /** The operator's name, on the operator's routes. */
  operator?: string | undefined;
  /** Among the requests of its key. Absent on routes that do not count as one. */
  place?: Place | undefined;
  /** Path parameters, decoded. */
  params: Record<string, string>;
  /** The name of the surface that it came by. */
  surface: string;
  /** The protocol of the surface, for its error shape. */
  codec?: AnyCodec | undefined;
  /** Milliseconds since the epoch, when the request came. */
  started: number;
  /** The caller's options beside the request. */
  options: RequestOptions;
  /** The id that the request's generation gets, where its name was kept with one. */
  reservedId?: string | undefined;
  /** Of the generation that the request became; set once there is one. */
  generation?: string | undefined;
  /** Sums the generation up for the log line of the request; set by the operation that runs. */
  trace?: Traced | undefined;
  /** Of its body; ended with the request. */
  flight?: Flight | undefined;
  /** The body that it took to answer, given back when nothing is read any more; set by the operation that runs. */
  body?: Releasable | undefined;
  /** The observer, if there is one. */
  watch?: Watch | undefined;
}

/** A whole answer. Handlers that stream write to the sink themselves and return nothing. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  /** Written as JSON unless it is text or bytes already. */
  body?: unknown;
}

/** `strict`: what would lose anything is refused. `warn`: it is reported. `allow`: it is only recorded. */
export type LossPolicy = "strict" | "warn" | "allow";

/** Options of a caller beside its request. */
export interface RequestOptions {
  losses: LossPolicy;
  /** Explain the request, and send nothing. */
  explain: boolean;
  /** Of its record and the sums that it counts in. */
  labels: Labels;
}

/** What a caller says of a request for its own records: providers are not sent it. */
export interface Labels {
  tags?: Tags;
  /** The id of the end user it is for, as the request's own wire says it. */
  user?: string;
}

/** Holds memory that can be given back before it is collected. */
export interface Releasable {
  release(): void;
}

/** Knows the outcome of a request. */
export interface Traced {
  summary(): RequestSummary;
}

/** The outcome of a request, as far as it went: for its one log line. */
export interface RequestSummary {
  /** The caller's name for it. */
  model: string;
  /** The neutral id of the entry that was called last, or would have been. */
  entry?: string | undefined;
  /** Calls to providers. */
  attempts?: number;
  /** The reason why the last of them got no answer. */
  fault?: string | undefined;
  /** Micro-USD. */
  cost?: number | undefined;
  /** Tokens. */
  input?: number | undefined;
  output?: number | undefined;
}
