import { lookupHash, prefixOf, type Sealed, type Store } from "@manifold-gateway/store";

export const KEY = "test-key-0123456789abcdef";
export const OTHER_KEY = "other-key-0123456789abcdef";

/** An account with one key. */
export interface Holder {
  id: string;
  name?: string;
  keyId?: string;
  keyName?: string;
  key: string;
  /** The key as a vault keeps it. */
  sealed?: Sealed;
}

/** Whose requests tests send unless they say otherwise. */
export const ADA: Holder = { id: "acc", name: "Ada", keyId: "key", keyName: "laptop", key: KEY };
export const OTHER: Holder = { id: "other", key: OTHER_KEY };

/** Gives a store the account, its credit in micro-USD, and its key. */
export async function admit(store: Store, holder: Holder, credit: number, at: number): Promise<void> {
  const { id, name = id, keyId = `key-${id}`, keyName = keyId, key, sealed } = holder;
  await store.accounts.ensure({ id, name, at });
  if (credit > 0)
    await store.accounts.credit({
      accountId: id,
      amount: credit,
      kind: "topup",
      reference: `opening ${id}`,
      at,
    });
  await store.keys.create({
    id: keyId,
    accountId: id,
    name: keyName,
    prefix: prefixOf(key),
    hash: lookupHash(key),
    at,
    ...(sealed && { sealed }),
  });
}
