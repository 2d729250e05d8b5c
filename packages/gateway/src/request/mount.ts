import type { IncomingMessage, ServerResponse } from "node:http";
import { H3, type H3Event } from "h3";
import type { Exchange } from "../http/exchange.ts";
import { nodeExchange } from "../http/node.ts";
import type { Accept } from "../http/peer.ts";
import { upgradable } from "../http/upgrade.ts";
import { webExchange } from "../http/web.ts";
import type { Services } from "../ports/services.ts";
import type { Surface } from "../route.ts";
import { handle } from "./handle.ts";
import { notFound } from "./not-found.ts";
import { toRows } from "./paths.ts";
import type { RouteMatch } from "./stages.ts";

/** The value by which a handler tells h3 that the Node response was already written. */
const HANDLED = Symbol.for("h3.handled");

/** Functions that upgrade requests to WebSockets, for requests that may be. */
export type Accepts = WeakMap<IncomingMessage, Accept>;

/** Creates the h3 app of a list of surfaces. Other paths get a 404 in the envelope. */
export function mount(
  surfaces: readonly Surface[],
  services: Services,
  accepts: Accepts = new WeakMap(),
): H3 {
  const host = { surfaces, services, accepts, missing: notFound(surfaces) };
  const app = new H3({ silent: true, allowMalformedURL: true });
  for (const surface of surfaces)
    for (const rows of toRows(surface.routes))
      app.on(rows.method, `${surface.prefix}${rows.path}`, (event) => serve(event, host, { surface, rows }));
  app.all("/**", (event) => serve(event, host));
  return app;
}

/** The surfaces of an app, and what serves them. */
interface Host {
  surfaces: readonly Surface[];
  services: Services;
  accepts: Accepts;
  missing: ReturnType<typeof notFound>;
}

type Match = Pick<RouteMatch, "surface" | "rows">;

/**
 * Serves a request by the interface of its runtime: Node's, if it is there. Without a route it is answered as a
 * preflight or with a 404.
 */
async function serve(event: H3Event, host: Host, match?: Match): Promise<unknown> {
  const { services, accepts } = host;
  const node = event.runtime?.node as { req?: IncomingMessage; res?: ServerResponse } | undefined;
  if (!node?.req || !node.res) {
    const exchange = webExchange(event.req, services.limits.clientWriteTimeout);
    void answer(exchange, host, match, event);
    return exchange.response;
  }
  const accept = accepts.get(node.req);
  const plain = nodeExchange(node.req, node.res, services.limits);
  await answer(accept ? upgradable(plain, accept) : plain, host, match, event);
  return HANDLED;
}

async function answer(
  exchange: Exchange,
  host: Host,
  match: Match | undefined,
  event: H3Event,
): Promise<void> {
  const { services } = host;
  try {
    if (!match && services.cors.preflight(exchange)) return;
    const { surface, rows } = match ?? notFoundAt(exchange, host);
    await handle(exchange, { surface, rows, params: (match && event.context.params) ?? {}, services });
  } catch (error) {
    breakOff(exchange, services, error);
  }
}

const notFoundAt = (exchange: Exchange, { surfaces, missing }: Host): Match => ({
  surface: nearest(surfaces, exchange),
  rows: missing(exchange),
});

/** Handles a defect in answering itself: it can only be logged, and the connection broken. */
function breakOff({ sink }: Exchange, { log }: Pick<Services, "log">, error: unknown): void {
  log.error(
    { request: sink.stamp?.["x-request-id"], error: String(error) },
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
