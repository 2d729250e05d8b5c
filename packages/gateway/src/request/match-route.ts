import type { Route, Surface } from "../route.ts";
import { decodeParams, noParams, type Rows, refuseNotNormalized } from "./paths.ts";
import type { RouteMatch } from "./running-request.ts";

/** Stands for the route of a request that no route serves. */
const noRoute: Route = { method: "GET", path: "/**", access: "open", summary: "", handler: () => undefined };

/** Chooses the route of a request among those that the router cannot distinguish. `raw` are its path's parameters. */
export function matchRoute(
  target: string,
  surface: Surface,
  rows: Rows,
  raw: Record<string, string> | undefined,
): RouteMatch {
  try {
    refuseNotNormalized(target);
    const params = raw ? decodeParams(raw) : noParams;
    const route = rows.choose(params, target);
    return { surface, route, path: surface.prefix + route.path, params, refusal: undefined };
  } catch (refusal) {
    return { surface, route: noRoute, path: surface.prefix + rows.path, params: noParams, refusal };
  }
}
