import type { Sink } from "./exchange.ts";

/**
 * The headers by which vendors report what is left of their limits, and whether to try again. Their SDKs and agents
 * decide by them; no other header of a provider is relayed, since it may name the operator's account.
 */
export const VENDOR_LIMIT =
  /^(?:anthropic-ratelimit-[a-z0-9-]{1,64}|x-ratelimit-(?:limit|remaining|reset)(?:-[a-z0-9-]{1,64})?|x-should-retry)$/;

/** Printable text: any other would make the whole head invalid. */
const VALUE = /^[\x20-\x7e]{1,256}$/;

/** Adds a vendor's header to those of an answer, unless the key's own limit has it. */
export function relayLimit(
  headers: Record<string, string>,
  name: string,
  value: string | string[] | undefined,
  { stamp }: Pick<Sink, "stamp">,
): void {
  if (typeof value === "string" && VALUE.test(value) && stamp?.[name] === undefined) headers[name] = value;
}
