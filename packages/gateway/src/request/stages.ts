import type { Exchange } from "../http/exchange.ts";
import type { Admitted as Credentials } from "../ports/access.ts";
import type { Flight } from "../ports/bounds.ts";
import type { RequestContext } from "../ports/context.ts";
import type { Watch } from "../ports/observer.ts";
import type { ServiceName, Services } from "../ports/services.ts";
import type { Route, Surface } from "../route.ts";
import type { Rows } from "./paths.ts";

/** The router's result for a request: the surface, and the routes that have its path. */
export interface RouteMatch {
  surface: Surface;
  rows: Rows;
  /** The path parameters, not yet validated. */
  params: Record<string, string>;
  services: Services;
}

/** A request and the route that serves it. */
export interface Matched {
  readonly id: string;
  readonly exchange: Exchange;
  readonly services: Services;
  readonly surface: Surface;
  readonly route: Route;
  /** The path of the route with the surface's prefix, for log lines and observers. */
  readonly path: string;
  /** Path parameters, decoded. */
  readonly params: Record<string, string>;
  /** The reason why no route serves the request. */
  readonly refusal: unknown;
  readonly started: number;
  readonly began: number;
  readonly watch: Watch | undefined;
}

/** A request whose credential was accepted. */
export interface Identified extends Matched, Pick<RequestContext, keyof Credentials> {}

/** A request that may be read, as its caller's limits count it. */
export interface Admitted extends Identified, Pick<RequestContext, "place"> {}

/** A whole request, for its handler. */
export interface Received extends Admitted, RequestContext<ServiceName> {
  readonly surface: Surface;
  readonly input: Parameters<Route["handler"]>[1];
  /** The memory of the body. Absent without a body. */
  readonly flight: Flight | undefined;
}
