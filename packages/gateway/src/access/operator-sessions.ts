import { createHash, randomUUID } from "node:crypto";
import { lookupHash, type Store } from "@manifold-gateway/store";
import { jwtVerify, SignJWT } from "jose";
import { toSeconds } from "../http/moments.ts";
import type { OperatorSessions } from "../ports/access.ts";
import { createMemory } from "./credential-cache.ts";

const HOUR_SECONDS = 3_600;
interface Session {
  name: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

const CLAIMS = { issuer: "manifold", audience: "manifold operator" };

/**
 * The sessions of operators in a browser. Each is signed with a secret derived from its operator's key: it ends when
 * the key is replaced, and every process with the same keys accepts it until the store records its end.
 */
export function createOperatorSessions(
  keys: Readonly<Record<string, string>>,
  operatorOf: (credential: string) => string | undefined,
  { store: { endedSessions, keys: stored }, now }: { store: Store; now: () => number },
): OperatorSessions & { forget(): void } {
  const sessions = createMemory<Session>(stored.revision, now);
  const secrets = Object.entries(keys).map(([name, key]) => ({ name, secret: secretOf(key) }));
  const read = async (token: string): Promise<Session | undefined> => {
    for (const { name, secret } of secrets) {
      const { payload } = await jwtVerify(token, secret, {
        ...CLAIMS,
        algorithms: ["HS256"],
        currentDate: new Date(now()),
        maxTokenAge: HOUR_SECONDS,
      }).catch(() => ({ payload: undefined }));
      if (payload?.sub === name && payload.exp !== undefined) return { name, expiresAt: payload.exp * 1000 };
    }
    return undefined;
  };
  return {
    async issue(credential) {
      const name = operatorOf(credential);
      if (name === undefined) return undefined;
      const issuedAt = toSeconds(now());
      const token = await new SignJWT({ jti: randomUUID() })
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .setSubject(name)
        .setIssuer(CLAIMS.issuer)
        .setAudience(CLAIMS.audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + HOUR_SECONDS)
        .sign(secretOf(credential));
      return { name, token, expiresAt: (issuedAt + HOUR_SECONDS) * 1000 };
    },
    verify: async (token) =>
      sessions.recall(lookupHash(token), async () => {
        const session = await read(token);
        if (!session || (await endedSessions.has(idOf(token)))) return undefined;
        return { owner: session, until: session.expiresAt };
      }),
    async end(token) {
      const session = await read(token);
      if (session) await endedSessions.add(idOf(token), session.expiresAt);
      sessions.forget();
    },
    forget: sessions.forget,
  };
}

/** The session's id, without the signature: base64 can spell one signature in several ways. */
const idOf = (token: string): string =>
  createHash("sha256")
    .update(`operator session\n${token.slice(0, token.lastIndexOf("."))}`)
    .digest("base64url");

const secretOf = (key: string): Uint8Array =>
  createHash("sha256").update(`operator session\n${key}`).digest();
