import type { Exchange } from "../http/exchange.ts";
import type { Caller } from "../ports/access.ts";
import type { BodyUse, KeySlot } from "../ports/bounds.ts";
import type { Progress, RequestContext, RequestOptions } from "../ports/context.ts";
import type { Watch } from "../ports/observer.ts";
import type { ServiceName, Services } from "../ports/services.ts";
import type { Route, Surface } from "../route.ts";

/** The router's result for a request. */
export interface RouteMatch {
  readonly surface: Surface;
  readonly route: Route;
  /** The path of the route with the surface's prefix, for log lines and observers. */
  readonly path: string;
  /** Path parameters, decoded. */
  readonly params: Record<string, string>;
  /** The reason why no route serves the request. */
  readonly refusal: unknown;
}

const usualOptions: RequestOptions = { losses: "warn", explain: false, labels: {} };

/**
 * A request from its route to its log line. The stages fill it in, each what its comment here names, and the handler
 * gets it complete. It is one object with one shape, because copies of it would cost more than most stages do.
 */
export class RunningRequest implements RequestContext<ServiceName> {
  readonly id: string;
  readonly exchange: Exchange;
  services: Services;
  readonly surface: Surface;
  readonly route: Route;
  readonly path: string;
  readonly params: Record<string, string>;
  readonly refusal: unknown;
  readonly started: number;
  readonly began: number;
  /** Set by `begin`, as all above. */
  watch: Watch | undefined = undefined;
  /** Set by `identify`. */
  caller: Caller | undefined = undefined;
  /** Set by `identify`. */
  operator: string | undefined = undefined;
  /** Set by `admit`, which also limits `services`. */
  slot: KeySlot | undefined = undefined;
  /** The memory of the body. Set by `receive`; absent without a body. */
  bodyUse: BodyUse | undefined = undefined;
  /** Set by `receive`. */
  input: Parameters<Route["handler"]>[1];
  /** Set by `receive`. */
  options = usualOptions;
  /** Set by `withIdempotency`. */
  reservedId: string | undefined = undefined;
  /** Written by the handler. */
  readonly progress: Progress;

  constructor(id: string, exchange: Exchange, match: RouteMatch, services: Services) {
    const { surface, route, path, params, refusal } = match;
    this.exchange = exchange;
    this.services = services;
    this.surface = surface;
    this.route = route;
    this.path = path;
    this.params = params;
    this.refusal = refusal;
    this.started = services.now();
    this.began = services.steady();
    this.id = id;
    this.input = { params, query: {}, body: undefined, json: undefined };
    this.progress = { generation: undefined, trace: undefined, body: undefined, input: this.input };
  }
}

/** Checks whether a caller was found, as all routes have it that admit callers. */
export const isCalled = (request: RunningRequest): request is RunningRequest & { readonly caller: Caller } =>
  request.caller !== undefined;
