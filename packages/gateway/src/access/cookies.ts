import type { Exchange } from "../http/exchange.ts";
import { Refusal } from "../http/refusal.ts";
import type { Access } from "../ports/access.ts";
import type { BrowserSession } from "../ports/console.ts";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Checks whether the request is for this machine itself, where there is no TLS and so no secure cookie. */
const isLoopback = (exchange: Exchange): boolean => LOOPBACK.test(exchange.header("host") ?? "");

/** The settings that a service has for cookies. */
type Terms = Pick<Access, "insecureCookies">;

/** Checks whether the cookie is sent over plain HTTP. */
const isPlain = (exchange: Exchange, { insecureCookies = false }: Terms): boolean =>
  insecureCookies || isLoopback(exchange);

/** Names the cookie. The prefix `__Host-` ties it to this host and to TLS. */
const nameOf = (exchange: Exchange, terms: Terms, name: BrowserSession): string =>
  isPlain(exchange, terms) ? `manifold-${name}` : `__Host-manifold-${name}`;

/**
 * The `set-cookie` header that keeps a token until `expiresAt` (ms since the epoch). Without a token it deletes the
 * cookie.
 */
export function cookie(
  exchange: Exchange,
  terms: Terms,
  name: BrowserSession,
  issued?: { token: string; expiresAt: number },
): string {
  const ends = issued ? new Date(issued.expiresAt).toUTCString() : "Thu, 01 Jan 1970 00:00:00 GMT";
  const secure = isPlain(exchange, terms) ? "" : "; Secure";
  const value = issued?.token ?? "";
  return `${nameOf(exchange, terms, name)}=${value}; Path=/; Expires=${ends}; HttpOnly; SameSite=Strict${secure}`;
}

/** Values of `x-console` by which the console's pages call: as the account, or as its playground. */
const CALLS = ["1", "playground"];

const VALUE = /^[\w.-]{1,8192}$/;

/**
 * Reads the token of a browser's cookie. Browsers send cookies with the requests of every site's pages, so requests
 * from other origins are refused, and a change needs a header that no form can set.
 */
export function tokenOf(exchange: Exchange, terms: Terms, name: BrowserSession): string | undefined {
  const token = readCookie(exchange.header("cookie"), nameOf(exchange, terms, name));
  if (token === undefined) return undefined;
  const site = exchange.header("sec-fetch-site");
  const reads = exchange.method === "GET" || exchange.method === "HEAD";
  const isSameOrigin = reads
    ? site === undefined || site === "same-origin" || site === "none"
    : (site === "same-origin" || (site === undefined && isConsoleOrigin(exchange, terms))) &&
      CALLS.includes(exchange.header("x-console") ?? "");
  if (!isSameOrigin)
    throw new Refusal(
      "cross_site",
      "A session by cookie serves the console's own pages only: send a token as 'Authorization: Bearer'.",
    );
  return token;
}

/** Checks the page's origin. Over plain HTTP browsers send no `sec-fetch-site`, but they do send `origin`. */
const isConsoleOrigin = (exchange: Exchange, { insecureCookies }: Terms): boolean =>
  insecureCookies === true && exchange.header("origin") === `http://${exchange.header("host")}`;

function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (at < 0 || pair.slice(0, at).trim() !== name) continue;
    const value = pair.slice(at + 1).trim();
    return VALUE.test(value) ? value : undefined;
  }
  return undefined;
}
