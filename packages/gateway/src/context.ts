import type { AnyCodec } from "@manifold/core";
import type { Caller } from "./access.ts";
import type { Flight } from "./flights.ts";
import type { Exchange } from "./http/exchange.ts";
import type { Watch } from "./observe/observer.ts";
import type { RequestSummary } from "./observe/summary.ts";
import type { Place } from "./restrictions/places.ts";
import type { Wishes } from "./routing/losses.ts";
import type { Services } from "./services.ts";

/** What a handler is given. */
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
  /** What the caller wants done beside the request. */
  wishes: Wishes;
  /** The id that the request's generation gets, where its name was kept with one. */
  reservedId?: string | undefined;
  /** Of the generation that the request became; set once there is one. */
  generation?: string;
  /** What the log line of the request says of its generation; set by the operation that runs. */
  summary?(): RequestSummary;
  /** Of its body; ended with the request. */
  flight?: Flight;
  /** Where someone watches. */
  watch?: Watch;
}

/** Gives the request's generation its id, which is told from then on. */
export function startGeneration(context: Context): string {
  const id = context.reservedId ?? context.services.id();
  context.reservedId = undefined;
  context.generation = id;
  return id;
}

/** A whole answer. Handlers that stream write to the sink themselves and return nothing. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  /** Written as JSON unless it is text or bytes already. */
  body?: unknown;
}
