import type { Restrictions } from "@manifold/store";
import type { Exchange } from "./http/exchange.ts";
import { Refusal } from "./http/refusal.ts";
import type { Route } from "./route.ts";

/** Who is asking: a key or a session, of an account. */
export interface Caller {
  accountId: string;
  /** Of a key; a session has none, and therefore no caps. */
  keyId?: string;
  keyName?: string;
  /** What the key may do. Absent: all that keys may. */
  restrictions?: Restrictions;
  session?: Session;
}

/** Whose limits count for a caller: those of its key; the sessions of one account count together. */
export const ownerOf = ({ keyId, accountId }: Caller): string =>
  keyId === undefined ? `account ${accountId}` : `key ${keyId}`;

/** Someone who signed in. */
export interface Session {
  /** Milliseconds since the epoch. */
  issuedAt: number;
  /** By which it can be ended before its time, `until` when it goes on else. */
  id?: string;
  until?: number;
}

/** Tells callers by their credentials. */
export interface Access {
  /** The caller that a raw key belongs to; nothing for keys that are unknown, revoked or disabled. */
  byKey(key: string): Promise<Caller | undefined> | Caller | undefined;
  /** The caller that a JWT speaks for; nothing where it is not valid here, or its account is not active. */
  byToken(token: string): Promise<Caller | undefined> | Caller | undefined;
  /** The name of the operator whose credential this is, compared in constant time. */
  operatorOf(credential: string): string | undefined;
  /** Lets go of what is remembered of callers: to be called after any change of keys or accounts. */
  forget(): void;
}

/**
 * Whom a route admits. `open`: anyone, unasked. `key`: API keys. `caller`: keys and sessions. `session`: those who
 * signed in. `operator`: whoever runs the service.
 */
export type Admits = "open" | "key" | "caller" | "session" | "operator";

/** A place beside the two that hold everywhere. */
export interface CredentialPlace {
  in: "header" | "query";
  name: string;
}

const PRINTABLE = /^[!-~]{1,512}$/;
const BEARER = /^Bearer ([!-~]+)$/i;
const TOKEN = /^(?!mfk_)[\w-]+\.[\w-]+\.[\w-]*$/;
const LONGEST_TOKEN = 8_192;

/** Missing, malformed, unknown, revoked and disabled all read alike. */
const refusals: Record<Exclude<Admits, "open">, string> = {
  key: "Missing or invalid API key. Send it as 'x-api-key' or 'Authorization: Bearer'.",
  caller:
    "Missing or invalid API key or session. Send a key as 'x-api-key', or a key or a token as 'Authorization: Bearer'.",
  session: "Missing or invalid session. Send its token as 'Authorization: Bearer'.",
  operator: "Missing or invalid operator credential. Send it as 'x-admin-key'.",
};

/** The 401 for all that a route does not know. */
export const unauthorized = (admits: Exclude<Admits, "open">): Refusal =>
  new Refusal(admits === "key" ? "invalid_api_key" : "unauthorized", refusals[admits]);

/** What an operator is told by: `x-admin-key`, which wins, or a bearer where the route takes one. */
export const operatorCredential = (exchange: Exchange, bearer: boolean | undefined): string | undefined =>
  exchange.header("x-admin-key") ??
  (bearer ? BEARER.exec(exchange.header("authorization") ?? "")?.[1] : undefined);

/** Who is let in: a caller, or an operator by name; nobody on open routes. */
export interface Admitted {
  caller?: Caller;
  operator?: string;
}

/** Whom a request comes from, or a 401. */
export async function authenticate(
  exchange: Exchange,
  access: Access,
  { access: admits, bearer }: Pick<Route, "access" | "bearer">,
  also: readonly CredentialPlace[] = [],
): Promise<Admitted> {
  if (admits === "open") return {};
  if (admits === "operator") {
    const operator = access.operatorOf(operatorCredential(exchange, bearer) ?? "");
    if (operator !== undefined) return { operator };
    throw unauthorized(admits);
  }
  const caller = await callerOf(exchange, access, admits, also);
  if (!caller) throw unauthorized(admits);
  if (admits === "session" && !caller.session)
    throw new Refusal("session_required", "This needs a session: an API key cannot do it.");
  return { caller };
}

/**
 * `x-api-key` wins whenever it is present, also when it is empty or wrong; `also` are further places that one
 * surface's clients use. Tokens come as bearers only.
 */
function callerOf(
  exchange: Exchange,
  access: Access,
  admits: "key" | "caller" | "session",
  also: readonly CredentialPlace[],
): ReturnType<Access["byKey"]> {
  const own = exchange.header("x-api-key") ?? placed(exchange, also);
  const given = own ?? BEARER.exec(exchange.header("authorization") ?? "")?.[1];
  if (given === undefined) return undefined;
  if (own === undefined && given.length <= LONGEST_TOKEN && TOKEN.test(given))
    return admits === "key" ? undefined : access.byToken(given);
  return PRINTABLE.test(given) ? access.byKey(given) : undefined;
}

function placed(exchange: Exchange, also: readonly CredentialPlace[]): string | undefined {
  for (const place of also) {
    const found = place.in === "header" ? exchange.header(place.name) : exchange.query(place.name);
    if (found !== undefined) return found;
  }
  return undefined;
}
