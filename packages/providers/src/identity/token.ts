import { isObject, numberOf, parseJson, textOf } from "@manifold-gateway/core/codec";
import { UpstreamFault } from "../fault.ts";
import type { Identity } from "./identity.ts";

/** A token that stands for an identity until it expires. */
export interface Token {
  value: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** Milliseconds before its end from which a token is renewed while it is still used. */
const EARLY = 5 * 60_000;
/** Milliseconds before its end from which it is not used any more: a call has to reach the provider in time. */
const LATE = 30_000;
/** Milliseconds between two tries to renew one that is still good. */
const AGAIN = 30_000;
/** Milliseconds that an answer with a token may take, and the most characters of it. */
const PATIENCE = 10_000;
const LONGEST = 256 * 1024;

/**
 * An identity by tokens of an issuer. A token is used until shortly before its end and renewed beforehand, while calls
 * go on with it; requests that come while there is none wait for one and the same answer.
 */
export function tokenIdentity(
  issue: () => Promise<Token>,
  secrets: readonly string[] = [],
  now: () => number = Date.now,
): Identity {
  let token: Token | undefined;
  let renewing: Promise<Token> | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  /** The last ones: a provider may repeat one after it was renewed. */
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
      if (!token || left <= LATE) return bearerOf(await renew());
      // Its end is near: the next calls find a new one, and this one waits for nothing.
      if (left <= EARLY && now() - triedAt >= AGAIN) renew().catch(() => {});
      return bearerOf(token);
    },
    refused() {
      token = undefined;
    },
    secrets: () => [...secrets, ...known],
  };
}

const bearerOf = ({ value }: Token): Record<string, string> => ({ authorization: `Bearer ${value}` });

/** An answer of an issuer that holds no token. It names the issuer's word for the error, and nothing that was sent. */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";
}

/** Asks an issuer for a token, as OAuth has it: `access_token` and `expires_in` in seconds, or `expires_on`. */
export async function requestToken(
  url: string,
  init: RequestInit,
  now: () => number = Date.now,
): Promise<Token> {
  const signal = AbortSignal.timeout(PATIENCE);
  const response = await fetch(url, { ...init, redirect: "error", signal });
  const body = parseJson((await response.text()).slice(0, LONGEST));
  const fields = isObject(body) ? body : {};
  const value = textOf(fields.access_token);
  const seconds = numberOf(Number(fields.expires_in));
  if (!response.ok || value === undefined || seconds === undefined || !Number.isFinite(seconds)) {
    const word = /^[\w.-]{1,64}$/.exec(textOf(fields.error) ?? "")?.[0];
    throw new TokenRefused(`status ${response.status}${word === undefined ? "" : `, ${word}`}`);
  }
  return { value, expiresAt: now() + seconds * 1000 };
}

/** The fields of a form, as issuers take them. */
export const formOf = (fields: Record<string, string>): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
  body: new URLSearchParams(fields).toString(),
});
