import { isKey, lookupHash, type Store } from "@manifold/store";
import type { Access, Caller } from "../access.ts";

/** How long a resolved key is believed, in milliseconds: what several processes promise each other. */
const FRESH = 5_000;
/** How many keys are remembered. */
const ROOM = 10_000;

/**
 * Access by the keys in a store. Resolved keys are remembered for a few seconds; unknown ones never, so that
 * guessing cannot push known ones out.
 */
export function storeAccess(store: Store, now: () => number): Access & { forget(): void } {
  const known = new Map<string, { caller: Caller; until: number }>();
  return {
    async byKey(key) {
      // A key of our own form with a wrong checksum is a typing error: no need to look.
      if (key.startsWith("mfk_") && !isKey(key)) return undefined;
      const hash = lookupHash(key);
      const found = known.get(hash);
      if (found && found.until > now()) return found.caller;
      known.delete(hash);
      const stored = await store.keys.find(hash);
      if (!stored?.isActive) return undefined;
      const caller: Caller = { accountId: stored.accountId, keyId: stored.id, keyName: stored.name };
      if (known.size >= ROOM) known.clear();
      known.set(hash, { caller, until: now() + FRESH });
      return caller;
    },
    forget: () => known.clear(),
  };
}
