import { createHash, timingSafeEqual } from "node:crypto";
import { couldBeKey, lookupHash, type Store } from "@manifold-gateway/store";
import { createOperatorSessions } from "../console/operator-sessions.ts";
import type { Access, Caller, Sessions } from "../ports/access.ts";

/**
 * The time for which a cached caller is used without a look at the store, in milliseconds: processes promise this to
 * each other.
 */
const CHECK = 250;
/** The number of callers that are remembered. */
const ROOM = 10_000;

export interface StoreAccessOptions {
  now(): number;
  /** Absent: no sessions are accepted here. */
  sessions?: Sessions;
  /** Judges the sessions that browsers keep as cookies. Absent: there are none. */
  cookies?: Sessions;
  /** The operators' credentials by their names. Absent: there is no operator over HTTP. */
  adminKeys?: Readonly<Record<string, string>>;
}

interface Known {
  caller: Caller;
  /** Milliseconds since the epoch. */
  until: number;
}

/**
 * Access by the keys and accounts in a store. Callers are remembered for as long as the store says that nothing
 * about any of them has changed; unknown ones never are, so that guessing cannot push known ones out.
 */
export function storeAccess(
  store: Store,
  { now, sessions, cookies, adminKeys = {} }: StoreAccessOptions,
): Access {
  const known = new Map<string, Known>();
  let revision: number | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | undefined;
  /** Raised by every reason to forget: what was read before it is not remembered after it. */
  let age = 0;

  const forget = (): void => {
    age += 1;
    known.clear();
  };
  const check = async (): Promise<void> => {
    const at = now();
    const current = await store.keys.revision();
    if (current !== revision) forget();
    revision = current;
    checkedAt = at;
  };
  /** Nothing to wait for while the last look is recent. A clock that was set back makes it look again. */
  const fresh = (): Promise<void> | undefined => {
    const passed = now() - checkedAt;
    if (passed >= 0 && passed < CHECK) return undefined;
    checking ??= check().finally(() => {
      checking = undefined;
    });
    return checking;
  };
  const lookUp = async (
    name: string,
    waiting: Promise<void> | undefined,
    find: () => Promise<Known | undefined>,
  ): Promise<Caller | undefined> => {
    await waiting;
    const found = known.get(name);
    if (found && found.until > now()) return found.caller;
    const before = age;
    const read = await find();
    if (!read || read.until <= now()) return undefined;
    if (before === age) {
      if (known.size >= ROOM) known.clear();
      known.set(name, read);
    }
    return read.caller;
  };
  const remembered = (name: string, find: () => Promise<Known | undefined>): ReturnType<Access["byKey"]> => {
    const waiting = fresh();
    const found = waiting ? undefined : known.get(name);
    return found && found.until > now() ? found.caller : lookUp(name, waiting, find);
  };

  const bySession = (kind: string, { verify }: Sessions, token: string): ReturnType<Access["byToken"]> =>
    // A name of another form than a key's, so that a token is never found where a key is looked for.
    remembered(`${kind} ${lookupHash(token)}`, async () => {
      const verified = await verify(token);
      if (!verified) return undefined;
      const account = await store.accounts.get(verified.accountId);
      if (!account?.isActive) return undefined;
      const { issuedAt, until, id } = verified;
      // A new password ends the sessions of the old one; tokens tell their time in whole seconds.
      if (issuedAt < Math.floor((account.passwordAt ?? 0) / 1000) * 1000) return undefined;
      if (await store.endedSessions.has(id)) return undefined;
      return { caller: { accountId: account.id, session: { issuedAt, id, until } }, until };
    });

  const operators = Object.entries(adminKeys).map(([name, key]) => ({ name, digest: digest(key) }));
  const operatorOf = (credential: string): string | undefined => {
    const given = digest(credential);
    // All of them are compared: which one fits tells nothing by its time.
    return operators.filter((operator) => timingSafeEqual(given, operator.digest))[0]?.name;
  };
  return {
    byKey(key) {
      const hash = lookupHash(key);
      return remembered(hash, async () => {
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
        return { caller, until: Number.POSITIVE_INFINITY };
      });
    },
    byToken: (token) => sessions && bySession("token", sessions, token),
    ...(cookies && { byCookie: (token: string) => bySession("cookie", cookies, token) }),
    operatorOf,
    ...(operators.length > 0 && { operatorSessions: createOperatorSessions(adminKeys, operatorOf, now) }),
    forget,
  };
}

/** Equal lengths, whatever was sent, so that the time of the comparison shows nothing. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
