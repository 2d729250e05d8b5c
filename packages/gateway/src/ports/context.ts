import type { AnyCodec } from "@manifold/core";
import type { Exchange } from "../http/exchange.ts";
import type { Caller } from "./access.ts";
import type { Flight, Place } from "./bounds.ts";
import type { Watch } from "./observer.ts";
import type { Services } from "./services.ts";

/** The argument of a handler. */
export interface Context {
  /** The `x-request-id`, which every log line about the request has as `request`. */
  id: string;
  exchange: Exchange;
  services: Services;
  /** Absent on open routes and the operator's. */
  caller: Caller;
  /** The operator's name, on the operator's routes. */
  operator?: string;
  /** Among the requests of its key. Absent on routes that do not count as one. */
  place?: Place;
  /** Path parameters, decoded. */
  params: Record<string, string>;
  /** The protocol of the surface, for its error shape. */
  codec?: AnyCodec;
  /** Milliseconds since the epoch, when the request came. */
  started: number;
  /** The caller's options beside the request. */
  options: RequestOptions;
  /** The id that the request's generation gets, where its name was kept with one. */
  reservedId?: string | undefined;
  /** Of the generation that the request became; set once there is one. */
  generation?: string;
  /** Sums the generation up for the log line of the request; set by the operation that runs. */
  summary?(): RequestSummary;
  /** Of its body; ended with the request. */
  flight?: Flight;
  /** Gives back what it took to answer; set by the operation that runs, and called when nothing is read any more. */
  release?(): void;
  /** The observer, if there is one. */
  watch?: Watch;
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
