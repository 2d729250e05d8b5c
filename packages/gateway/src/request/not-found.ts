import { resembling } from "@manifold-gateway/core/capability";
import type { Exchange } from "../http/exchange.ts";
import { Refusal } from "../http/refusal.ts";
import type { Surface } from "../route.ts";
import { doubledVersion, type Rows, toRows } from "./paths.ts";

/** Explains why no route matches a request: the path has other methods, or another path was probably meant. */
export function notFound(surfaces: readonly Surface[]): (exchange: Pick<Exchange, "method">) => Rows {
  const places = surfaces.flatMap(({ prefix, routes }) =>
    toRows(routes).map(({ method, path }) => ({
      method,
      path: prefix + path,
      fits: toPattern(prefix + path),
    })),
  );
  const plain = [...new Set(places.map(({ path }) => path).filter((path) => !/[:*]/.test(path)))];
  return ({ method }) => ({
    path: "/**",
    choose(_, target) {
      // The body of another method is not read, so the connection ends with the answer.
      const headers: Record<string, string> =
        method === "GET" || method === "HEAD" ? {} : { connection: "close" };
      const allowed = [
        ...new Set(places.filter(({ fits }) => fits.test(target)).map((place) => place.method)),
      ];
      if (allowed.length > 0)
        throw new Refusal("method_not_allowed", `This path has no ${method}; it has ${allowed.join(", ")}.`, {
          headers: { ...headers, allow: allowed.join(", ") },
        });
      const meant = meantBy(target, plain);
      const hint = doubledVersion(target) || (meant === undefined ? "" : ` Did you mean ${meant}?`);
      throw new Refusal("route_not_found", `There is no ${method} route at this path.${hint}`, { headers });
    },
  });
}

/**
 * The path that was probably meant: one with this ending, if only a prefix is missing, else one spelled similarly.
 */
const meantBy = (target: string, paths: readonly string[]): string | undefined =>
  (/^\/v\d/.test(target) ? paths.find((path) => path.endsWith(target)) : undefined) ??
  resembling(target, paths);

/** Converts a path of the router to an expression: `:name` is one segment, `**` any number of them. */
const toPattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split("/")
      .map((part) => {
        if (part.startsWith("**")) return ".+";
        return part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      })
      .join("/")}/?$`,
  );
