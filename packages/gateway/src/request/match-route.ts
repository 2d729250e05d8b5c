import type { Exchange } from "../http/exchange.ts";
import type { Route } from "../route.ts";
import { decodeParams, refuseCrooked } from "./paths.ts";
import type { Matched, RouteMatch } from "./stages.ts";

/** Request ids that are safe in headers and log lines. */
const ID = /^[\w.:@/+=-]{1,128}$/;

/** Chooses the route of a request, and begins its observation. A request without a route is observed as well. */
export function matchRoute(exchange: Exchange, match: RouteMatch): Matched {
  const { surface, rows, services } = match;
  const started = services.now();
  const began = services.steady();
  const given = exchange.header("x-request-id");
  const id = given !== undefined && ID.test(given) ? given : services.id();
  // An answer is for its caller alone: caches store it only if its route says so.
  const named = surface.requestHeader === undefined ? {} : { [surface.requestHeader]: id };
  const crossed = services.cors.headers(exchange);
  exchange.sink.stamp = { "x-request-id": id, ...named, "cache-control": "no-store", ...crossed };
  const { route, params, refusal } = chooseRoute(exchange, match);
  const path = surface.prefix + (route ?? rows).path;
  const watch = services.observer?.started({
    id,
    surface: surface.name,
    method: exchange.method,
    route: path,
    header: exchange.header,
  });
  exchange.sink.watch = watch;
  return {
    ...{ id, exchange, services, surface, route: route ?? noRoute, path, params, refusal },
    ...{ started, began, watch },
  };
}

/** Stands for the route of a request that no route serves. */
const noRoute: Route = { method: "GET", path: "/**", access: "open", summary: "", handler: () => undefined };

function chooseRoute(
  exchange: Exchange,
  { rows, params: raw }: RouteMatch,
): { params: Record<string, string>; route?: Route; refusal?: unknown } {
  try {
    refuseCrooked(exchange.path);
    const params = decodeParams(raw);
    return { params, route: rows.choose(params, exchange.path) };
  } catch (refusal) {
    return { params: {}, refusal };
  }
}
