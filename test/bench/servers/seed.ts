import { lookupHash, prefixOf, type Store } from "@manifold-gateway/store";

/** What a gateway of the benchmark is given. */
export interface Served {
  upstream: string;
  /** As a configuration names it. */
  store: string;
  isBilled: boolean;
  /** Accounts with a key each, which the requests use in turn. */
  accounts: number;
  processes: number;
  /** What is kept of requests. */
  records: "full" | "none";
}

/** The key of the account with this number. */
export const keyOf = (account: number): string =>
  account === 0 ? "bench-key-0123456789" : `bench-key-0123456789-${account}`;

/** Makes the accounts, each with credit for any run. */
export async function seed(store: Store, accounts: number): Promise<void> {
  const at = Date.now();
  await Promise.all(
    Array.from({ length: accounts }, async (_, i) => {
      const accountId = `acc-${i}`;
      const key = keyOf(i);
      await store.accounts.ensure({ id: accountId, name: `bench ${i}`, at });
      const credit = { accountId, amount: 1e12, kind: "topup", reference: `opening ${i}`, at } as const;
      await store.accounts.credit(credit);
      const row = { accountId, name: "bench", prefix: prefixOf(key), hash: lookupHash(key), at };
      await store.keys.ensure({ id: `key-${i}`, ...row });
    }),
  );
}
