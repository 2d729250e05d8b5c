import { createHash, timingSafeEqual } from "node:crypto";
import { type Account, couldBeKey, lookupHash, type Store } from "@manifold-gateway/store";
import type { Access, Caller, Sessions, Verified } from "../ports/access.ts";
import { createMemory } from "./credential-cache.ts";
import { InactiveKey } from "./inactive-key.ts";
import { createOperatorSessions } from "./operator-sessions.ts";

/** The daily limit of an account's playground, in micro-USD. */
const PLAYGROUND = { daily: 1_000_000 };

export interface StoreAccessOptions {
  now(): number;
  /** Absent: no session tokens are accepted. */
  sessions?: Sessions;
  /** Verifies the sessions of browsers. Absent: there are none. */
  cookies?: Sessions;
  /** Cookies are sent over plain HTTP as well. */
  insecureCookies?: boolean;
  /** The operators' credentials by name. Absent: there are no operators over HTTP. */
  adminKeys?: Readonly<Record<string, string>>;
}

/** Authenticates callers by the keys, accounts and sessions of a store. */
export function storeAccess(
  store: Store,
  { now, sessions, cookies, insecureCookies = false, adminKeys = {} }: StoreAccessOptions,
): Access {
  const callers = createMemory<Caller>(store.keys.revision, now);

  const bySession = (kind: string, { verify }: Sessions, token: string): ReturnType<Access["byToken"]> =>
    // The name contains a space, which a key's hash does not: a token is never found in place of a key.
    callers.recall(`${kind} ${lookupHash(token)}`, async () => {
      const verified = await verify(token);
      if (!verified) return undefined;
      const account = await store.accounts.get(verified.accountId);
      if (!account?.isActive) return undefined;
      const { issuedAt, until, id } = verified;
      if (isOfEarlierPassword(verified, account)) return undefined;
      if (await store.endedSessions.has(id)) return undefined;
      return { owner: { accountId: account.id, session: { issuedAt, id, until } }, until };
    });

  const operators = Object.entries(adminKeys).map(([name, key]) => ({ name, digest: digest(key) }));
  const operatorOf = (credential: string): string | undefined => {
    const given = digest(credential);
    // Compares with all operators, so that the time does not depend on which one matches.
    return operators.filter((operator) => timingSafeEqual(given, operator.digest))[0]?.name;
  };
  const operatorSessions =
    operators.length > 0 ? createOperatorSessions(adminKeys, operatorOf, { store, now }) : undefined;
  return {
    byKey(key) {
      const hash = lookupHash(key);
      return callers.recall(hash, async () => {
        // A key in our format with a wrong checksum is mistyped: there is nothing to look up.
        if (!couldBeKey(key)) return undefined;
        const stored = await store.keys.find(hash);
        if (!stored) return undefined;
        if (!stored.isActive) throw new InactiveKey({ accountId: stored.accountId, keyId: stored.id });
        const caller: Caller = {
          accountId: stored.accountId,
          keyId: stored.id,
          keyName: stored.name,
          usedAt: 0,
          ...(stored.restrictions && { restrictions: stored.restrictions }),
        };
        return { owner: caller, until: Number.POSITIVE_INFINITY };
      });
    },
    byToken: (token) => sessions && bySession("token", sessions, token),
    ...(cookies && {
      byCookie: (token: string) => bySession("cookie", cookies, token),
      async byPlayground(token: string) {
        const caller = await bySession("cookie", cookies, token);
        if (!caller) return undefined;
        const keyId = await store.keys.playground(caller.accountId, { caps: PLAYGROUND, at: now() });
        return { ...caller, keyId, keyName: "playground" };
      },
    }),
    operatorOf,
    insecureCookies,
    ...(operatorSessions && { operatorSessions }),
    forget() {
      callers.forget();
      operatorSessions?.forget();
    },
  };
}

/**
 * Checks whether a session began before the account's present password, which ends it. Our tokens name their
 * password. Others only have their time, in whole seconds, and the second in which the password was set counts as
 * before it.
 */
const isOfEarlierPassword = (
  { password, issuedAt }: Verified,
  { passwordAt, passwordFingerprint = "" }: Account,
): boolean =>
  password === undefined
    ? passwordAt !== undefined && issuedAt < passwordAt
    : password !== passwordFingerprint;

/** A hash, so that all compared values have the same length and the time shows nothing. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
