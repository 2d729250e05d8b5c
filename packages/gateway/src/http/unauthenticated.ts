import type { IncomingMessage } from "node:http";
import type { CredentialPlace } from "../ports/access.ts";
import type { Exchange } from "./exchange.ts";
import { Refusal } from "./refusal.ts";

/**
 * Counts a request without a valid credential for the address that it comes from. Returns the milliseconds until that
 * address may send the next one; 0 if this one may be answered.
 */
export type CountUnauthenticated = (request: IncomingMessage) => number;

const COUNT = Symbol("counts unauthenticated requests");
type Counted = IncomingMessage & { [COUNT]?: CountUnauthenticated };

/** Has `count` called for a request if it turns out to have no valid credential. To be called before it is served. */
export function countUnauthenticated(request: IncomingMessage, count: CountUnauthenticated): void {
  (request as Counted)[COUNT] = count;
}

export const countOf = (request: IncomingMessage): CountUnauthenticated | undefined =>
  (request as Counted)[COUNT];

/** Counts an exchange that has no valid credential, or refuses it where its address has sent too many such. */
export function refuseTooMany({ unauthenticated }: Pick<Exchange, "unauthenticated">): void {
  const wait = unauthenticated?.() ?? 0;
  if (wait > 0)
    throw new Refusal("too_many_requests_from_address", TOO_MANY, {
      headers: { "retry-after": String(Math.ceil(wait / 1_000)), connection: "close" },
    });
}

const TOO_MANY = "There are too many requests from this address. Slow down.";

const EVERYWHERE = ["x-api-key", "authorization", "x-admin-key", "cookie"] as const;

/** Finds out whether a request has anything where credentials may be, besides the places that all surfaces have. */
export function credentialFinder(also: readonly CredentialPlace[]): (request: IncomingMessage) => boolean {
  const more = also.flatMap((place) => (place.in === "header" ? [place.name] : []));
  const parameters = also.flatMap((place) => (place.in === "query" ? [`${place.name}=`] : []));
  const names: readonly string[] = [...EVERYWHERE, ...more];
  // No route has this method: pages of other origins ask by it what they may send.
  return ({ method, headers, url }) =>
    method !== "OPTIONS" &&
    (names.some((name) => headers[name] !== undefined) ||
      parameters.some((parameter) => url?.includes(parameter)));
}
