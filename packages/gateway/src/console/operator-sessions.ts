import { createHash } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import type { OperatorSessions } from "../ports/access.ts";

const HOUR = 3_600;
const CLAIMS = { issuer: "manifold", audience: "manifold operator" };

/**
 * The sessions of operators in a browser. Each is signed by a secret made of that operator's own key, so it ends when
 * the key is replaced, and every process that knows the keys accepts it.
 */
export function createOperatorSessions(
  keys: Readonly<Record<string, string>>,
  operatorOf: (credential: string) => string | undefined,
  now: () => number,
): OperatorSessions {
  const secrets = Object.entries(keys).map(([name, key]) => ({ name, secret: secretOf(key) }));
  return {
    async issue(credential) {
      const name = operatorOf(credential);
      if (name === undefined) return undefined;
      const issuedAt = Math.floor(now() / 1000);
      const token = await new SignJWT()
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .setSubject(name)
        .setIssuer(CLAIMS.issuer)
        .setAudience(CLAIMS.audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + HOUR)
        .sign(secretOf(credential));
      return { name, token, expiresAt: (issuedAt + HOUR) * 1000 };
    },
    async verify(token) {
      for (const { name, secret } of secrets) {
        const { payload } = await jwtVerify(token, secret, {
          ...CLAIMS,
          algorithms: ["HS256"],
          currentDate: new Date(now()),
          maxTokenAge: HOUR,
        }).catch(() => ({ payload: undefined }));
        if (payload?.sub === name && payload.exp !== undefined)
          return { name, expiresAt: payload.exp * 1000 };
      }
      return undefined;
    },
  };
}

const secretOf = (key: string): Uint8Array =>
  createHash("sha256").update(`operator session\n${key}`).digest();
