import { closestName } from "@manifold-gateway/core/capability";
import { preflightOrigin } from "../http/cors.ts";
import type { Exchange } from "../http/exchange.ts";
import { quote, Refusal } from "../http/refusal.ts";
import type { Surface } from "../route.ts";
import { doubledVersion, type Rows, toRows } from "./paths.ts";

/** Explains why no route matches a request: the path has other methods, or another path was probably meant. */
export function notFound(
  surfaces: readonly Surface[],
): (exchange: Pick<Exchange, "method" | "header">) => Rows {
  const places = surfaces.flatMap(({ prefix, routes }) =>
    toRows(routes).map(({ method, path, verbs = new Map() }) => ({
      method,
      path: prefix + path,
      fits: toPattern(prefix + path, [...verbs.keys()]),
    })),
  );
  const plain = places.filter(({ path }) => !/[:*]/.test(path));
  return (exchange) => ({
    path: "/**",
    choose(_, target) {
      const { method } = exchange;
      // The body of another method is not read, so the connection ends with the answer.
      const headers: Record<string, string> =
        method === "GET" || method === "HEAD" ? {} : { connection: "close" };
      const allowed = [
        ...new Set(places.filter(({ fits }) => fits.test(target)).map((place) => place.method)),
      ];
      const origin = preflightOrigin(exchange);
      if (allowed.length > 0 && origin !== undefined)
        throw new Refusal(
          "origin_not_allowed",
          `Pages of ${quote(origin)} may not call: 'server.corsOrigins' does not list this origin.`,
          { headers },
        );
      if (allowed.length > 0)
        throw new Refusal("method_not_allowed", `This path has no ${method}; it has ${allowed.join(", ")}.`, {
          headers: { ...headers, allow: allowed.join(", ") },
        });
      const meant = meantBy(target, method, plain);
      const hint = doubledVersion(target) || (meant === undefined ? "" : ` Did you mean ${meant}?`);
      throw new Refusal("route_not_found", `There is no ${method} route at this path.${hint}`, { headers });
    },
  });
}

/**
 * The path that was probably meant: one with this ending, if only a prefix is missing, else one of the same method that
 * is spelled similarly.
 */
function meantBy(
  target: string,
  method: string,
  places: readonly { method: string; path: string }[],
): string | undefined {
  const same = places.filter((place) => place.method === method).map(({ path }) => path);
  const paths = [...same, ...places.map(({ path }) => path)];
  const prefixed = /^\/v\d/.test(target) ? paths.find((path) => path.endsWith(target)) : undefined;
  return prefixed ?? respelled(target, same);
}

/** The path in which one segment is spelled similarly, or which has more or fewer segments and is similar as a whole. */
function respelled(target: string, paths: readonly string[]): string | undefined {
  const typed = target.split("/");
  const others = paths.filter((path) => path.split("/").length !== typed.length);
  // As a whole, a short last segment of a long path would resemble any other.
  const respelt = paths.find((path) => {
    const segments = path.split("/");
    const wrong = segments.filter((segment, at) => segment !== typed[at]);
    const [meant] = wrong;
    if (segments.length !== typed.length || wrong.length !== 1 || meant === undefined) return false;
    return closestName(typed[segments.indexOf(meant)] ?? "", [meant]) !== undefined;
  });
  return respelt ?? closestName(target, others);
}

/**
 * Converts a path of the router to an expression: `:name` is one segment, `**` any number of them. If there are verbs,
 * one of them has to follow, behind a colon.
 */
const toPattern = (path: string, verbs: readonly string[]): RegExp =>
  new RegExp(
    `^${path
      .split("/")
      .map((part) => {
        if (part.startsWith("**")) return ".+";
        return part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      })
      .join("/")}${verbs.length > 0 ? `:(?:${verbs.join("|")})` : ""}/?$`,
  );
