import type { Sink } from "./exchange.ts";

/**
 * The headers by which vendors report what is left of their limits, and whether to try again. Their SDKs and agents
 * decide by them; no other header of a provider is relayed, since it may name the operator's account.
 */
const VENDOR_LIMIT =
  /^(?:anthropic-ratelimit-[a-z0-9-]{1,64}|x-ratelimit-(?:limit|remaining|reset)(?:-[a-z0-9-]{1,64})?|x-should-retry)$/;

/** Printable text: any other would make the whole head invalid. */
const VALUE = /^[\x20-\x7e]{1,256}$/;

/** Adds the vendor's headers of this kind to those of an answer, unless the key's own limit has them. */
export function relayLimits(
  headers: Record<string, string>,
  received: Readonly<Record<string, string | string[] | undefined>>,
  { stamp }: Pick<Sink, "stamp">,
): void {
  for (const name in received) {
    // Few names begin so, and the others need no search.
    const isLikely = name.startsWith("x-") || name.startsWith("anthropic-");
    if (!isLikely || !VENDOR_LIMIT.test(name)) continue;
    const value = received[name];
    if (typeof value === "string" && VALUE.test(value) && stamp?.[name] === undefined) headers[name] = value;
  }
}
