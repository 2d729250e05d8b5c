import type { AnyCodec } from "@manifold-gateway/core";
import type { Tags } from "@manifold-gateway/store";
import type { Exchange } from "../http/exchange.ts";
import type { Caller } from "./access.ts";
import type { Flight, Place } from "./bounds.ts";
import type { Watch } from "./observer.ts";
import type { Services } from "./services.ts";

/**
 * The argument of a handler. Operations may add objects with methods to it, but not functions: V8 keeps a function
 * that is a member of it until the next full collection, and with the function its whole request.
 */
export interface Context {
  /** The request's id, from `x-request-id`. Every log line about the request has it as `request`. */
  id: string;
  exchange: Exchange;
  services: Services;
  /** Absent on open routes and on operators' routes. */
  caller: Caller;
  /** The operator's name, on operators' routes. */
  operator?: string | undefined;
  /** The request as the key's limits count it. Absent on routes without such limits. */
  place?: Place | undefined;
  /** Path parameters, decoded. */
  params: Record<string, string>;
  /** The name of the surface that received the request. */
  surface: string;
  /** The protocol of the surface, for the format of its errors. */
  codec?: AnyCodec | undefined;
  /** The time at which the request arrived, in milliseconds since the epoch. */
  started: number;
  /** The same by the steady clock, from which durations are measured: `started` is wrong once the clock is set. */
  began: number;
  /** The caller's options outside of the body. */
  options: RequestOptions;
  /** The id for the request's generation, if it was stored with an idempotency key. */
  reservedId?: string | undefined;
  /** The generation's id; absent before the hold. */
  generation?: string | undefined;
  /** Summarizes the generation for the request's log line; set by the running operation. */
  trace?: Traced | undefined;
  /** The memory of the body; freed at the end of the request. */
  flight?: Flight | undefined;
  /** The body, released when nothing reads it any longer; set by the running operation. */
  body?: Releasable | undefined;
  /** The observer, if there is one. */
  watch?: Watch | undefined;
}

/** A whole answer. Handlers that stream write to the sink and return nothing. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON unless it is text or bytes. */
  body?: unknown;
}

/** `strict`: losses are refused. `warn`: they are reported. `allow`: they are only recorded. */
export type LossPolicy = "strict" | "warn" | "allow";

/** Options of a caller outside of the body. */
export interface RequestOptions {
  losses: LossPolicy;
  /** Explain the request instead of sending it. */
  explain: boolean;
  /** Labels for the record and for sums. */
  labels: Labels;
}

/** Facts that a caller states about a request for its records. Providers do not see them. */
export interface Labels {
  tags?: Tags;
  /** The end user's id, in the field that the request's protocol has for it. */
  user?: string;
}

/** Holds memory that can be freed before the garbage collector does. */
export interface Releasable {
  release(): void;
}

/** Summarizes the outcome of a request. */
export interface Traced {
  summary(): RequestSummary;
}

/** The outcome of a request, as far as it went, for its one log line. */
export interface RequestSummary {
  /** The model's name as the caller sent it. */
  model: string;
  /** The neutral id of the last entry that was called, or would have been. */
  entry?: string | undefined;
  /** The number of calls to providers. */
  attempts?: number;
  /** Why the last call got no answer. */
  fault?: string | undefined;
  /** Micro-USD. */
  cost?: number | undefined;
  /** Tokens. */
  input?: number | undefined;
  output?: number | undefined;
}
