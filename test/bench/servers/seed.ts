import { lookupHash, openPostgres, openSqlite, prefixOf, type Store } from "@manifold-gateway/store";

/** What a gateway of the benchmark is given. */
export interface Served {
  upstream: string;
  /** As a configuration names it. */
  store: string;
  /** What is kept of requests. */
  records: "full" | "none";
}

/** The configuration of a server with two models: one whose requests pass through, and one that is translated. */
export function configOf({ upstream: origin, store, records }: Served, processes: number): object {
  const model = (provider: string): object => ({
    input: ["text", "image"],
    entries: [{ provider, name: "bench", price: { input: 1, output: 2 } }],
  });
  const most = 100_000;
  return {
    server: { port: 0, processes, logFormat: "json" },
    store,
    records: { requests: records },
    // One key, from one address, holds all the open streams whose memory is measured.
    limits: { streams: most, concurrentRequests: most, connections: most, connectionsPerAddress: most },
    providers: {
      same: { protocol: "chatstyle", origin, key: "k" },
      other: { protocol: "msgstyle", origin, key: "k" },
    },
    models: { bench: model("same"), "bench-translated": model("other") },
  };
}

export function openStore({ store: url, records }: Pick<Served, "store" | "records">): Promise<Store> {
  const options = { records: { requests: records } };
  return url.startsWith("sqlite:")
    ? openSqlite({ path: url.slice("sqlite:".length), ...options })
    : openPostgres({ url, ...options });
}

/** The key of the account with this number. */
export const keyOf = (account: number): string =>
  account === 0 ? "bench-key-0123456789" : `bench-key-0123456789-${account}`;

/** Makes the accounts in a database, each with credit for any run. */
export async function seed(served: Pick<Served, "store" | "records">, accounts: number): Promise<void> {
  const store = await openStore(served);
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
  await store.close();
}
