import type { Exchange } from "./http/exchange.ts";
import { Refusal } from "./http/refusal.ts";

/** Who is asking: a key of an account. */
export interface Caller {
  accountId: string;
  keyId: string;
  keyName: string;
}

/** Tells callers by their credentials. */
export interface Access {
  /** The caller that a raw key belongs to; nothing for keys that are unknown, revoked or disabled. */
  byKey(key: string): Promise<Caller | undefined> | Caller | undefined;
}

const PRINTABLE = /^[!-~]{1,512}$/;
const BEARER = /^Bearer ([!-~]+)$/i;

/** Missing, malformed, unknown, revoked and disabled all read alike. */
const unauthorized = (): Refusal =>
  new Refusal(401, "Missing or invalid API key. Send it as 'x-api-key' or 'Authorization: Bearer'.", {
    code: "invalid_api_key",
  });

/**
 * The raw credential of a request. `x-api-key` wins whenever it is present, also when it is empty or wrong;
 * `also` are further places that one surface's clients use.
 */
function credential(exchange: Exchange, also: readonly CredentialPlace[]): string | undefined {
  const own = exchange.header("x-api-key");
  if (own !== undefined) return own;
  for (const place of also) {
    const found = place.in === "header" ? exchange.header(place.name) : exchange.query(place.name);
    if (found !== undefined) return found;
  }
  const bearer = exchange.header("authorization");
  return bearer === undefined ? undefined : BEARER.exec(bearer)?.[1];
}

/** A place beside the two that hold everywhere. */
export interface CredentialPlace {
  in: "header" | "query";
  name: string;
}

/** The caller of a request, or a 401. */
export async function authenticate(
  exchange: Exchange,
  access: Access,
  also: readonly CredentialPlace[] = [],
): Promise<Caller> {
  const key = credential(exchange, also);
  if (key === undefined || !PRINTABLE.test(key)) throw unauthorized();
  const caller = await access.byKey(key);
  if (!caller) throw unauthorized();
  return caller;
}
