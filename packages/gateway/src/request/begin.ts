import type { Exchange } from "../http/exchange.ts";
import type { Services } from "../ports/services.ts";
import { type RouteMatch, RunningRequest } from "./running-request.ts";

/** Request ids that are safe in headers and log lines. */
const ID = /^[\w.:@/+=-]{1,128}$/;

/** Begins a request and its observation. A request without a route is observed as well. */
export function begin(exchange: Exchange, match: RouteMatch, services: Services): RunningRequest {
  const { surface, path } = match;
  const given = exchange.header("x-request-id");
  const id = given !== undefined && ID.test(given) ? given : services.id();
  const stamp: Record<string, string> = { "x-request-id": id };
  if (surface.requestHeader !== undefined) stamp[surface.requestHeader] = id;
  // An answer is for its caller alone: caches store it only if its route says so.
  stamp["cache-control"] = "no-store";
  exchange.sink.stamp = Object.assign(stamp, services.cors.headers(exchange));
  const request = new RunningRequest(id, exchange, match, services);
  const watch = services.observer?.started({
    ...{ id, surface: surface.name, method: exchange.method, route: path },
    header: (name) => exchange.header(name),
  });
  request.watch = watch;
  exchange.sink.watch = watch;
  return request;
}
