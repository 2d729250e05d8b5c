import { createHash, timingSafeEqual } from "node:crypto";
import { type Account, couldBeKey, lookupHash, type Store } from "@manifold-gateway/store";
import { createOperatorSessions } from "../console/operator-sessions.ts";
import type { Access, Caller, Sessions, Verified } from "../ports/access.ts";
import { createMemory } from "./memory.ts";

/** What an account's playground may spend, in micro-USD. */
const PLAYGROUND = { daily: 1_000_000 };

export interface StoreAccessOptions {
  now(): number;
  /** Absent: no sessions are accepted here. */
  sessions?: Sessions;
  /** Judges the sessions that browsers keep as cookies. Absent: there are none. */
  cookies?: Sessions;
  /** Cookies go over plain HTTP as well. */
  insecureCookies?: boolean;
  /** The operators' credentials by their names. Absent: there is no operator over HTTP. */
  adminKeys?: Readonly<Record<string, string>>;
}

/** Access by the keys, accounts and sessions in a store. */
export function storeAccess(
  store: Store,
  { now, sessions, cookies, insecureCookies = false, adminKeys = {} }: StoreAccessOptions,
): Access {
  const callers = createMemory<Caller>(store.keys.revision, now);

  const bySession = (kind: string, { verify }: Sessions, token: string): ReturnType<Access["byToken"]> =>
    // A name of another form than a key's, so that a token is never found where a key is looked for.
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
    // All of them are compared: which one fits tells nothing by its time.
    return operators.filter((operator) => timingSafeEqual(given, operator.digest))[0]?.name;
  };
  const operatorSessions =
    operators.length > 0 ? createOperatorSessions(adminKeys, operatorOf, { store, now }) : undefined;
  return {
    byKey(key) {
      const hash = lookupHash(key);
      return callers.recall(hash, async () => {
        // A key of our own form with a wrong checksum is a typing error: no need to look.
        if (!couldBeKey(key)) return undefined;
        const stored = await store.keys.find(hash);
        if (!stored?.isActive) return undefined;
        const caller: Caller = {
          accountId: stored.accountId,
          keyId: stored.id,
          keyName: stored.name,
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
 * A new password ends the sessions of the earlier one. Our tokens name their password; others tell their time in whole
 * seconds, and the second in which the password was set counts as before it.
 */
const isOfEarlierPassword = (
  { password, issuedAt }: Verified,
  { passwordAt, passwordFingerprint = "" }: Account,
): boolean =>
  password === undefined
    ? passwordAt !== undefined && issuedAt < passwordAt
    : password !== passwordFingerprint;

/** Equal lengths, whatever was sent, so that the time of the comparison shows nothing. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
