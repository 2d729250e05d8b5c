import type { IncomingMessage } from "node:http";
import type { CredentialPlace } from "../ports/access.ts";
import type { Exchange } from "./exchange.ts";
import { Refusal } from "./refusal.ts";

/**
 * Counts a request without a valid credential for its address. Returns the milliseconds until the address may send
 * another, or 0 if this one may be answered.
 */
export type CountUnauthenticated = (request: IncomingMessage) => number;

const COUNT = Symbol("counts unauthenticated requests");
type Counted = IncomingMessage & { [COUNT]?: CountUnauthenticated };

/** Calls `count` if a request turns out to have no valid credential. Call this before the request is served. */
export function countUnauthenticated(request: IncomingMessage, count: CountUnauthenticated): void {
  (request as Counted)[COUNT] = count;
}

export const countOf = (request: IncomingMessage): CountUnauthenticated | undefined =>
  (request as Counted)[COUNT];

/** Counts an exchange without a valid credential. Throws a 429 if its address has sent too many. */
export function refuseTooMany(exchange: Pick<Exchange, "unauthenticated">): void {
  const wait = exchange.unauthenticated?.() ?? 0;
  if (wait > 0)
    throw new Refusal("too_many_requests_from_address", TOO_MANY, {
      headers: { "retry-after": String(Math.ceil(wait / 1_000)), connection: "close" },
    });
}

const TOO_MANY = "There are too many requests from this address. Slow down.";

const EVERYWHERE = ["x-api-key", "authorization", "x-admin-key", "cookie"] as const;

/**
 * Checks whether a request has a header or parameter that may hold a credential. `also` are the surfaces' own places.
 */
export function credentialFinder(also: readonly CredentialPlace[]): (request: IncomingMessage) => boolean {
  const more = also.flatMap((place) => (place.in === "header" ? [place.name] : []));
  const parameters = also.flatMap((place) => (place.in === "query" ? [`${place.name}=`] : []));
  const names: readonly string[] = [...EVERYWHERE, ...more];
  // OPTIONS never has credentials: browsers send it as the preflight of other origins' requests.
  return ({ method, headers, url }) =>
    method !== "OPTIONS" &&
    (names.some((name) => headers[name] !== undefined) ||
      parameters.some((parameter) => url?.includes(parameter)));
}
