import { createHash, createPublicKey, type KeyObject, randomUUID } from "node:crypto";
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify, SignJWT } from "jose";
import { toSeconds } from "../http/moments.ts";
import { Refusal } from "../http/refusal.ts";
import type { Sessions } from "../ports/access.ts";

/** Rules for accepting session tokens. A token can choose among the configured keys, and nothing else. */
export interface SessionOptions {
  /** One of: a secret of at least 32 bytes (HS256), a public key in PEM, or the URL of a key set. */
  key: { secret: string } | { publicKey: string } | { jwks: string };
  /** Default: HS256 with a secret, otherwise EdDSA. */
  algorithm?: string;
  /** The `iss` that a token has to have. */
  issuer: string;
  /** The `aud` that a token has to have. */
  audience: string;
  /** The `typ` of the token's header. Default: `JWT`. */
  type?: string;
  /** The greatest age of a token, in seconds. Default: an hour. */
  maxAge?: number;
}

const HOUR_SECONDS = 3_600;
/** The tolerated difference between clocks, in seconds. */
const TOLERANCE = 5;
/** Checks whether a value is a NumericDate whose milliseconds are exact too. */
const isTime = (value: unknown): value is number =>
  typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER / 1000;
/**
 * The claim of a renewed token that keeps the time at which the session's first token was issued. Claims of other
 * issuers, such as `auth_time`, do not affect it.
 */
const SINCE = "manifold:since";
/** The claim with the fingerprint of the account's password: the session ends when the password changes. */
const PASSWORD = "manifold:password";
const ACCOUNT = /^[!-~]{1,256}$/;

/**
 * Verifies and issues session tokens, each valid for `life` seconds. A session can be renewed until `longest` seconds
 * after its first token. Throws a `RangeError` if the secret is too short.
 */
export function createSessions(
  options: SessionOptions,
  now: () => number,
  life = Math.min(options.maxAge ?? HOUR_SECONDS, HOUR_SECONDS),
  longest = Number.POSITIVE_INFINITY,
): Sessions {
  const { key, issuer, audience, type = "JWT", maxAge = HOUR_SECONDS } = options;
  const algorithm = options.algorithm ?? ("secret" in key ? "HS256" : "EdDSA");
  const checks = {
    algorithms: [algorithm],
    issuer,
    audience,
    typ: type,
    requiredClaims: ["exp", "sub", "iat"],
    maxTokenAge: maxAge,
    clockTolerance: TOLERANCE,
  };
  const material = materialOf(key);
  const verify = async (token: string): Promise<JWTPayload | undefined> => {
    const rules = { ...checks, currentDate: new Date(now()) };
    try {
      const done =
        typeof material === "function"
          ? jwtVerify(token, material, rules)
          : jwtVerify(token, material, rules);
      return (await done).payload;
    } catch (error) {
      if (isUnavailable(error))
        throw new Refusal("sessions_unavailable", "The keys that verify sessions cannot be read.", {
          headers: { "retry-after": "1" },
        });
      return undefined;
    }
  };
  const sign = async (claims: JWTPayload, since?: number) => {
    const issuedAt = toSeconds(now());
    const expiresAt = Math.min(issuedAt + life, (since ?? issuedAt) + longest);
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: algorithm, typ: type })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(material as Uint8Array);
    return { token, expiresAt: expiresAt * 1000 };
  };
  return {
    async verify(token) {
      const claims = await verify(token);
      const { sub, iat, exp, jti, [SINCE]: since = iat, [PASSWORD]: password } = claims ?? {};
      // The library validates these claims but not their types.
      if (typeof sub !== "string" || !ACCOUNT.test(sub)) return undefined;
      if (!isTime(iat) || !isTime(exp) || !isTime(since)) return undefined;
      const name = typeof jti === "string" ? `jti ${jti}` : token.slice(0, token.lastIndexOf("."));
      const id = createHash("sha256").update(`${issuer}\n${name}`).digest("base64url");
      const until = Math.min(exp, iat + maxAge, since + longest) * 1000;
      const tied = typeof password === "string" ? { password } : {};
      return { accountId: sub, id, issuedAt: since * 1000, until, ...tied };
    },
    ...("secret" in key && {
      issue: (accountId, password = "") => sign({ sub: accountId, jti: randomUUID(), [PASSWORD]: password }),
      async renew(token) {
        const { sub, jti, iat, [SINCE]: since = iat, [PASSWORD]: password } = (await verify(token)) ?? {};
        if (sub === undefined || jti === undefined || !isTime(since)) return undefined;
        if (since + longest <= now() / 1000) return undefined;
        // A token of an earlier version has no fingerprint, so its renewals have none either.
        return sign({ sub, jti, [SINCE]: since, [PASSWORD]: password }, since);
      },
    }),
  };
}

/** The life of an unused browser session, in seconds. */
export const COOKIE_LIFE = 12 * HOUR_SECONDS;
/** The greatest age of a browser session, however often it is renewed, in seconds. */
export const COOKIE_LONGEST = 7 * 24 * HOUR_SECONDS;

/**
 * Sessions that browsers keep as cookies; they exist only if the service has the secret. Their tokens have an
 * audience of their own: a cookie's token is not accepted as a bearer token, nor the reverse.
 */
export function cookieSessions(options: SessionOptions, now: () => number): Sessions | undefined {
  if (!("secret" in options.key)) return undefined;
  const cookieOptions = { ...options, audience: `${options.audience} console`, maxAge: COOKIE_LIFE };
  return createSessions(cookieOptions, now, COOKIE_LIFE, COOKIE_LONGEST);
}

function materialOf(key: SessionOptions["key"]): Uint8Array | KeyObject | JWTVerifyGetKey {
  if ("jwks" in key) return createRemoteJWKSet(new URL(key.jwks), { timeoutDuration: 5_000 });
  if ("publicKey" in key) return createPublicKey(key.publicKey);
  const secret = new TextEncoder().encode(key.secret);
  if (secret.length < 32)
    throw new RangeError(`the secret of sessions must have at least 32 bytes, it has ${secret.length}`);
  return secret;
}

/** Checks whether the key set could not be fetched: the token may be valid then. */
const isUnavailable = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) ||
  ["ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID", "ERR_JOSE_GENERIC"].includes(error.code);
