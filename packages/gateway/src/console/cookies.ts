import type { Exchange } from "../http/exchange.ts";
import { Refusal } from "../http/refusal.ts";
import type { BrowserSession } from "../ports/console.ts";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** A browser keeps a secure cookie of plain HTTP nowhere but on the machine itself, where there is no TLS either. */
const isLoopback = (exchange: Exchange): boolean => LOOPBACK.test(exchange.header("host") ?? "");

/** `__Host-` ties a cookie to this very host and to TLS. */
const nameOf = (exchange: Exchange, name: BrowserSession): string =>
  isLoopback(exchange) ? `manifold-${name}` : `__Host-manifold-${name}`;

/** The `set-cookie` that keeps a token until `expiresAt` (ms since the epoch), or ends it where there is none. */
export function cookie(
  exchange: Exchange,
  name: BrowserSession,
  kept?: { token: string; expiresAt: number },
): string {
  const ends = kept ? new Date(kept.expiresAt).toUTCString() : "Thu, 01 Jan 1970 00:00:00 GMT";
  const secure = isLoopback(exchange) ? "" : "; Secure";
  const value = kept?.token ?? "";
  return `${nameOf(exchange, name)}=${value}; Path=/; Expires=${ends}; HttpOnly; SameSite=Strict${secure}`;
}

const VALUE = /^[\w.-]{1,8192}$/;

/**
 * The token that a browser sent along. Browsers send cookies whoever made the page, so a page of another origin is
 * refused, and a change needs a header that no form can set.
 */
export function tokenOf(exchange: Exchange, name: BrowserSession): string | undefined {
  const token = readCookie(exchange.header("cookie"), nameOf(exchange, name));
  if (token === undefined) return undefined;
/** How the console's pages call: as the account, or as its playground. */
const CALLS = ["1", "playground"];

  const site = exchange.header("sec-fetch-site");
  const reads = exchange.method === "GET" || exchange.method === "HEAD";
  const isOwn = reads
    ? site === undefined || site === "same-origin" || site === "none"
    : site === "same-origin" && CALLS.includes(exchange.header("x-console") ?? "");
  if (!isOwn)
    throw new Refusal(
      "cross_site",
      "A session by cookie serves the console's own pages only: send a token as 'Authorization: Bearer'.",
    );
  return token;
}

function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (at < 0 || pair.slice(0, at).trim() !== name) continue;
    const value = pair.slice(at + 1).trim();
    return VALUE.test(value) ? value : undefined;
  }
  return undefined;
}
