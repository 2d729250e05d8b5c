import type { Exchange } from "../http/exchange.ts";
import { Refusal } from "../http/refusal.ts";
import type { Access, Admits, Admitted, Caller, CredentialPlace } from "../ports/access.ts";
import type { Services } from "../ports/services.ts";
import type { Route } from "../route.ts";
import { tokenOf } from "./cookies.ts";
import { InactiveKey } from "./inactive-key.ts";
import { checkKey } from "./restrict.ts";
import type { KeyServices } from "./restriction-rules.ts";

const owners = new WeakMap<Caller, string>();

/** Names the owner of a caller's limits: its key, or its account, whose sessions share them. */
export function ownerOf(caller: Caller): string {
  const known = owners.get(caller);
  if (known !== undefined) return known;
  const { keyId, accountId } = caller;
  const owner = keyId === undefined ? `account ${accountId}` : `key ${keyId}`;
  owners.set(caller, owner);
  return owner;
}

/** What routes admit that have a caller. */
type CallerAdmits = Exclude<Admits, "open" | "operator">;

const PRINTABLE = /^[!-~]{1,512}$/;
/** The scheme in any case, and any number of spaces after it. */
const BEARER = /^Bearer[ \t]+([!-~]+)$/i;
const TOKEN = /^(?!mfk_)[\w-]+\.[\w-]+\.[\w-]*$/;
const LONGEST_TOKEN = 8_192;

/**
 * One message for each kind of credential, whether it is missing, malformed, unknown, revoked or disabled: a more
 * exact one would help to guess.
 */
const refusals: Record<Exclude<Admits, "open">, string> = {
  key: "Missing or invalid API key. Send it as 'x-api-key' or 'Authorization: Bearer'.",
  caller:
    "Missing or invalid API key or session. Send a key as 'x-api-key', or a key or a token as 'Authorization: Bearer'.",
  session: "Missing or invalid session. Send its token as 'Authorization: Bearer'.",
  operator: "Missing or invalid operator credential. Send it as 'x-admin-key'.",
};

/** The 401 for a request without a credential that its route accepts. */
export const unauthorized = (admits: Exclude<Admits, "open">): Refusal =>
  new Refusal(admits === "key" ? "invalid_api_key" : "unauthorized", refusals[admits]);

/** Reads the operator's credential: `x-admin-key`, else a bearer token if the route accepts one. */
export const operatorCredential = (exchange: Exchange, bearer: boolean | undefined): string | undefined =>
  exchange.header("x-admin-key") ??
  (bearer ? BEARER.exec(exchange.header("authorization") ?? "")?.[1] : undefined);

/**
 * Finds the caller or operator of a request. Throws a 401 if there is none, and also if a caller's key has expired.
 * Returns a promise only if something has to be read.
 */
export function authenticate(
  exchange: Exchange,
  services: Pick<Services, "access"> & KeyServices,
  { access: admits, bearer }: Pick<Route, "access" | "bearer">,
  also: readonly CredentialPlace[] = nowhere,
): Promise<Admitted> | Admitted {
  const { access } = services;
  if (admits === "open") return {};
  if (admits === "operator") return authenticateOperator(exchange, access, bearer);
  const caller = callerOf(exchange, access, admits, also);
  return caller instanceof Promise
    ? caller.then(
        (owner) => checkCaller(owner, exchange, services, admits),
        (error: unknown) => {
          throw error instanceof InactiveKey ? withCaller(unauthorized(admits), error.caller) : error;
        },
      )
    : checkCaller(caller, exchange, services, admits);
}

const nowhere: readonly CredentialPlace[] = [];

async function authenticateOperator(
  exchange: Exchange,
  access: Access,
  bearer: boolean | undefined,
): Promise<Admitted> {
  const operator = await operatorOf(exchange, access, bearer);
  if (operator !== undefined) return { operator };
  throw unauthorized("operator");
}

/** The same refusal, which records whose request was not admitted. */
const withCaller = (
  { code, errors, options }: Refusal,
  { accountId, keyId }: InactiveKey["caller"],
): Refusal =>
  new Refusal(code, errors, { ...options, caller: { accountId, ...(keyId !== undefined && { keyId }) } });

function checkCaller(
  caller: Caller | undefined,
  exchange: Exchange,
  services: KeyServices,
  admits: CallerAdmits,
): Admitted {
  if (!caller) throw unauthorized(admits);
  if (caller.restrictions) {
    try {
      checkKey(caller.restrictions, services, exchange);
    } catch (error) {
      throw error instanceof Refusal ? withCaller(error, caller) : error;
    }
  }
  if (admits === "session" && !caller.session)
    throw new Refusal("session_required", "This needs a session: an API key cannot do it.");
  return { caller };
}

/**
 * Names the operator of a request. A credential in a header is used even if it is wrong; only without one does the
 * browser's session count.
 */
export async function operatorOf(
  exchange: Exchange,
  access: Access,
  bearer?: boolean,
): Promise<string | undefined> {
  const credential = operatorCredential(exchange, bearer);
  if (credential !== undefined) return access.operatorOf(credential);
  const token = access.operatorSessions && tokenOf(exchange, access, "operator");
  return token === undefined ? undefined : (await access.operatorSessions?.verify(token))?.name;
}

/**
 * Finds the account of a request. `x-api-key` is used if it is present, even if it is empty or wrong; `also` names
 * further places where clients of one surface send their key. A session's token comes as a bearer, or as a cookie
 * from the console's pages, which call models with it as well.
 */
function callerOf(
  exchange: Exchange,
  access: Access,
  admits: CallerAdmits,
  also: readonly CredentialPlace[],
): ReturnType<Access["byKey"]> {
  const apiKey = exchange.header("x-api-key") ?? credentialIn(exchange, also);
  const given = apiKey ?? BEARER.exec(exchange.header("authorization") ?? "")?.[1];
  if (given === undefined) {
    const isPlayed = admits !== "session" && exchange.header("x-console") === "playground";
    const by = isPlayed ? access.byPlayground : admits === "key" ? undefined : access.byCookie;
    const token = by && tokenOf(exchange, access, "session");
    return token === undefined ? undefined : by?.(token);
  }
  if (apiKey === undefined && given.length <= LONGEST_TOKEN && TOKEN.test(given))
    return admits === "key" ? undefined : access.byToken(given);
  return PRINTABLE.test(given) ? access.byKey(given) : undefined;
}

function credentialIn(exchange: Exchange, also: readonly CredentialPlace[]): string | undefined {
  for (const place of also) {
    const found = place.in === "header" ? exchange.header(place.name) : exchange.query(place.name);
    if (found !== undefined) return found;
  }
  return undefined;
}
