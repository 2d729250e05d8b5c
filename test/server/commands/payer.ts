import { lookupHash, prefixOf, type Store } from "@manifold-gateway/store";

/** Makes the account `acc` with credit and a key. */
export async function addPayer(store: Store, key: string): Promise<void> {
  const at = Date.now();
  await store.accounts.ensure({ id: "acc", name: "acc", at });
  await store.accounts.credit({ accountId: "acc", amount: 1e9, kind: "topup", reference: "r", at });
  const hash = lookupHash(key);
  await store.keys.ensure({ id: "key", accountId: "acc", name: "k", prefix: prefixOf(key), hash, at });
}
