import { type Example, type Route, type Surface, surfaces } from "@manifold-gateway/gateway";

/** Every row of every surface. */
export const rows: readonly { surface: Surface; route: Route; path: string }[] = surfaces.flatMap((surface) =>
  surface.routes.map((route) => ({
    surface,
    route,
    path: `${surface.prefix}${route.shown ?? route.path}`.replace(/\/(?:\*\*)?:(\w+)/g, "/{$1}"),
  })),
);

/** The target of an example. */
export function targetOf(path: string, { params = {}, query = {} }: Example): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? "x"));
  const search = new URLSearchParams(query).toString();
  return search === "" ? filled : `${filled}?${search}`;
}

/** Rows of files that callers store, and of batches. */
export const ofBatches = (path: string): boolean => /\/(files|batches)\//.test(`${path}/`);

/** Rows of files, jobs, batches, and what these made. */
export const needsMedia = (path: string): boolean =>
  ofBatches(path) || /\/(images?|videos?|audio|kyc|objects|jobs)\//.test(`${path}/`);
