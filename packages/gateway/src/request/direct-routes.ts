import type { Surface } from "../route.ts";
import { noParams, toRows } from "./paths.ts";
import type { RouteMatch } from "./running-request.ts";

/** A path that the router could read in no other way: without parameters, escapes and dots that begin a segment. */
const PLAIN = /^(?:\/[\w-][\w.-]*)+$/;

/** The routes by method and path. */
export type DirectRoutes = ReadonlyMap<string, ReadonlyMap<string, RouteMatch>>;

/**
 * The routes of a list of surfaces whose paths have no parameters, so that a request of exactly such a path needs no
 * router. Of several with one path, the first counts, as in the router.
 */
export function directRoutes(surfaces: readonly Surface[]): DirectRoutes {
  const routes = new Map<string, Map<string, RouteMatch>>();
  for (const surface of surfaces)
    for (const rows of toRows(surface.routes)) {
      const path = surface.prefix + rows.path;
      if (!PLAIN.test(path)) continue;
      const byPath = routes.get(rows.method) ?? new Map<string, RouteMatch>();
      const route = rows.choose(noParams, path);
      if (!byPath.has(path)) byPath.set(path, { surface, route, path, params: noParams, refusal: undefined });
      routes.set(rows.method, byPath);
    }
  return routes;
}
