import { isObject, numberOf, textOf } from "@manifold-gateway/core/codec";
import { readJson } from "../adapters/bytes.ts";
import { UpstreamFault } from "../transport/fault.ts";
import type { Identity } from "./identity.ts";

/** A token that authenticates calls until it expires. */
export interface Token {
  value: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** The milliseconds before its expiry from which a token is renewed while it is still used. */
const RENEW_BEFORE = 5 * 60_000;
/** The milliseconds before its expiry from which it is no longer used: a call must reach the provider in time. */
const EXPIRY_MARGIN = 30_000;
/** The milliseconds between two tries to renew a valid token. */
const RENEWAL_INTERVAL = 30_000;
/** The most milliseconds, and the most bytes, of an answer with a token. */
const TOKEN_TIMEOUT = 10_000;
const MAX_LENGTH = 256 * 1024;

/**
 * An identity with tokens of an issuer. A token is renewed shortly before it expires, while calls still use it. Calls
 * that come while there is no token all wait for the same answer.
 */
export function tokenIdentity(
  issue: () => Promise<Token>,
  secrets: readonly string[] = [],
  now: () => number = Date.now,
): Identity {
  let token: Token | undefined;
  let renewing: Promise<Token> | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  /** The last tokens: a provider's answer may contain one even after it was renewed. */
  let known: string[] = [];

  const renew = (): Promise<Token> => {
    triedAt = now();
    renewing ??= issue()
      .then((issued) => {
        token = issued;
        known = [issued.value, ...known].slice(0, 3);
        return issued;
      })
      .catch((error: unknown) => {
        throw new UpstreamFault("token", error);
      })
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  };
  return {
    async headers() {
      const left = token ? token.expiresAt - now() : 0;
      if (!token || left <= EXPIRY_MARGIN) return bearerOf(await renew());
      // The token expires soon: it is renewed for later calls, without delaying this one.
      if (left <= RENEW_BEFORE && now() - triedAt >= RENEWAL_INTERVAL) renew().catch(() => {});
      return bearerOf(token);
    },
    refused() {
      token = undefined;
    },
    secrets: () => [...secrets, ...known],
  };
}

const bearerOf = ({ value }: Token): Record<string, string> => ({ authorization: `Bearer ${value}` });

/** The issuer's answer has no token. The message has the issuer's error code, and nothing that was sent. */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";
}

/** Requests a token as in OAuth: the answer has `access_token`, and `expires_in` in seconds or `expires_on`. */
export async function requestToken(
  url: string,
  init: RequestInit,
  now: () => number = Date.now,
): Promise<Token> {
  const signal = AbortSignal.timeout(TOKEN_TIMEOUT);
  const response = await fetch(url, { ...init, redirect: "error", signal });
  const body = await readJson(response, MAX_LENGTH, signal);
  const fields = isObject(body) ? body : {};
  const value = textOf(fields.access_token);
  const seconds = numberOf(Number(fields.expires_in));
  if (!response.ok || value === undefined || seconds === undefined || !Number.isFinite(seconds)) {
    const word = /^[\w.-]{1,64}$/.exec(textOf(fields.error) ?? "")?.[0];
    throw new TokenRefused(`status ${response.status}${word === undefined ? "" : `, ${word}`}`);
  }
  return { value, expiresAt: now() + seconds * 1000 };
}

/** A POST of form fields, as issuers accept them. */
export const formOf = (fields: Record<string, string>): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
  body: new URLSearchParams(fields).toString(),
});
