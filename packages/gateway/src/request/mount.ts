import type { IncomingMessage, ServerResponse } from "node:http";
import { H3, type H3Event, toNodeHandler } from "h3";
import type { Exchange } from "../http/exchange.ts";
import { stackOf } from "../http/fault.ts";
import { NodeExchange } from "../http/node.ts";
import type { Accept } from "../http/peer.ts";
import { upgradable } from "../http/upgrade.ts";
import { webExchange } from "../http/web.ts";
import type { Services } from "../ports/services.ts";
import type { Surface } from "../route.ts";
import { type DirectRoutes, directRoutes } from "./direct-routes.ts";
import { handle } from "./handle.ts";
import { matchRoute } from "./match-route.ts";
import { notFound } from "./not-found.ts";
import { type Rows, toRows } from "./paths.ts";

/** The value by which a handler tells h3 that the Node response was already written. */
const HANDLED = Symbol.for("h3.handled");

/** Surfaces as an app, which answers requests of any runtime. */
export interface Mounted {
  /** Answers a request, by other services than the app's if they are given. */
  fetch(request: Request, services?: Services): Promise<Response> | Response;
  node(request: IncomingMessage, response: ServerResponse): void;
  /** Answers a request that `accept` can upgrade to a WebSocket. */
  upgrade(request: IncomingMessage, response: ServerResponse, accept: Accept): void;
}

/** Creates the app of a list of surfaces. Other paths get a 404 in the envelope. */
export function mount(surfaces: readonly Surface[], services: Services): Mounted {
  const accepts = new WeakMap<IncomingMessage, Accept>();
  const exchanged = new WeakMap<Request, Services>();
  const host: Host = { surfaces, services, exchanged, accepts, missing: notFound(surfaces) };
  const app = new H3({ silent: true, allowMalformedURL: true });
  for (const surface of surfaces)
    for (const rows of toRows(surface.routes))
      app.on(rows.method, `${surface.prefix}${rows.path}`, (event) => serve(event, host, { surface, rows }));
  app.all("/**", (event) => serve(event, host));
  // Created with the first request, because other runtimes than Node have no Node requests.
  let direct: DirectRoutes | undefined;
  let routed: ReturnType<typeof toNodeHandler> | undefined;
  const route: Mounted["node"] = (request, response) => {
    routed ??= toNodeHandler(app);
    void routed(request, response);
  };
  return {
    fetch(request, services) {
      if (services) exchanged.set(request, services);
      return app.fetch(request);
    },
    node(request, response) {
      direct ??= directRoutes(surfaces);
      const exchange = new NodeExchange(request, response, services.limits);
      // Whether a target with a host is valid is for the router to say.
      const isPath = exchange.target === request.url;
      const match = isPath ? direct.get(exchange.method)?.get(exchange.path) : undefined;
      if (match) handle(exchange, match, services).catch((error) => breakOff(exchange, services, error));
      else route(request, response);
    },
    upgrade(request, response, accept) {
      accepts.set(request, accept);
      route(request, response);
    },
  };
}

/** The surfaces of an app, and what serves them. */
interface Host {
  surfaces: readonly Surface[];
  services: Services;
  /** The services of requests that have others. */
  exchanged: WeakMap<Request, Services>;
  accepts: WeakMap<IncomingMessage, Accept>;
  missing: ReturnType<typeof notFound>;
}

/** The router's result for a request: the surface, and the routes that have its path. */
interface RowMatch {
  surface: Surface;
  rows: Rows;
}

/** Serves a request by the interface of its runtime: Node's, if it is there. */
async function serve(event: H3Event, host: Host, match?: RowMatch): Promise<unknown> {
  const { limits } = host.services;
  const node = event.runtime?.node as { req?: IncomingMessage; res?: ServerResponse } | undefined;
  if (!node?.req || !node.res) {
    const exchange = webExchange(event.req, limits.clientWriteTimeout);
    const services = host.exchanged.get(event.req);
    void answerMatch(exchange, services ? { ...host, services } : host, match, event);
    return exchange.response;
  }
  const accept = host.accepts.get(node.req);
  const plain = new NodeExchange(node.req, node.res, limits);
  await answerMatch(accept ? upgradable(plain, accept) : plain, host, match, event);
  return HANDLED;
}

/** Answers a request by its route. Without one, it is answered as a preflight or with a 404. */
async function answerMatch(
  exchange: Exchange,
  host: Host,
  match: RowMatch | undefined,
  { context }: H3Event,
): Promise<void> {
  const { services } = host;
  try {
    if (!match && services.cors.preflight(exchange)) return;
    const { surface, rows } = match ?? notFoundAt(exchange, host);
    await handle(exchange, matchRoute(exchange.path, surface, rows, match && context.params), services);
  } catch (error) {
    breakOff(exchange, services, error);
  }
}

const notFoundAt = (exchange: Exchange, { surfaces, missing }: Host): RowMatch => ({
  surface: nearest(surfaces, exchange),
  rows: missing(exchange),
});

/** Handles a defect in answering itself: it can only be logged, and the connection broken. */
function breakOff({ sink }: Exchange, { log }: Pick<Services, "log">, error: unknown): void {
  log.error(
    { request: sink.stamp?.["x-request-id"], error: stackOf(error) },
    "an exchange ended unexpectedly",
  );
  sink.abort();
}

const nowhere: Surface = { name: "none", about: "", prefix: "", routes: [] };

/** The surface whose prefix a path without a route has: the error has that surface's format. */
function nearest(surfaces: readonly Surface[], { path }: Exchange): Surface {
  const surface = surfaces.find(({ prefix }) => prefix !== "" && path.startsWith(`${prefix}/`));
  return { ...(surface ?? nowhere), prefix: "" };
}
