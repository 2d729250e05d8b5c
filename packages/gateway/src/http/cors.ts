import type { Cors } from "../ports/services.ts";
import type { Exchange } from "./exchange.ts";

const NAMES = /^[\w!#$%&'*+.^`|~, -]{1,2048}$/;
/** Seconds for which a browser caches the answer to a preflight request. */
const MAX_AGE = "600";

/** Checks whether a text is the origin of a page as browsers send it: without a path, a usual port and capitals. */
export const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** The origin of the page for which a browser asks what it may send, if this is what the request is. */
export const preflightOrigin = (exchange: Pick<Exchange, "method" | "header">): string | undefined => {
  const isPreflight =
    exchange.method === "OPTIONS" && exchange.header("access-control-request-method") !== undefined;
  return isPreflight ? exchange.header("origin") : undefined;
};

/**
 * Lets pages of these origins call. They send their credentials in headers: cookies are not allowed across origins.
 */
export function createCors(origins: readonly string[] = []): Cors {
  const allowed = new Set(origins);
  const headers = (exchange: Pick<Exchange, "header">): Record<string, string> | undefined => {
    if (allowed.size === 0) return undefined;
    const origin = exchange.header("origin");
    // Also where none is said: a page could read no file again that an element of it has shown, and the browser keeps.
    if (origin === undefined || !allowed.has(origin)) return { vary: "origin" };
    return {
      vary: "origin",
      "access-control-allow-origin": origin,
      "access-control-expose-headers": "*",
    };
  };
  return {
    headers,
    preflight(exchange) {
      const { sink } = exchange;
      const granted = headers(exchange);
      if (preflightOrigin(exchange) === undefined || !granted?.["access-control-allow-origin"]) return false;
      const names = exchange.header("access-control-request-headers");
      sink.head(204, {
        ...granted,
        vary: "origin, access-control-request-headers",
        "access-control-allow-methods": "GET, HEAD, POST, PATCH, DELETE",
        ...(names !== undefined && NAMES.test(names) && { "access-control-allow-headers": names }),
        "access-control-max-age": MAX_AGE,
      });
      sink.end();
      return true;
    },
  };
}
