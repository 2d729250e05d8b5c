import { createHash } from "node:crypto";
import { lookupHash, mintKey, prefixOf, type Store, toMicro } from "@manifold/store";
import type { Config } from "./config/schema.ts";

/** A stable id for what a configuration names: the same name, the same row after every start. */
const idOf = (kind: string, ...names: string[]): string =>
  `${kind}_${createHash("sha256").update(names.join("\0")).digest("hex").slice(0, 24)}`;

/** Makes the accounts and keys of a configuration where they are missing. A balance is credited once, at making. */
export async function ensureAccounts(store: Store, accounts: Config["accounts"], now: number): Promise<void> {
  for (const [name, { balance, keys }] of Object.entries(accounts)) {
    const id = idOf("acc", name);
    await store.accounts.ensure({ id, name, at: now });
    if (balance > 0)
      await store.accounts.credit({
        accountId: id,
        reference: idOf("opening", name),
        kind: "topup",
        amount: toMicro(balance),
        at: now,
      });
    for (const [keyName, value] of Object.entries(keys)) {
      const { key, caps } = typeof value === "string" ? { key: value, caps: undefined } : value;
      await store.keys.ensure({
        id: idOf("key", name, keyName),
        accountId: id,
        name: keyName,
        prefix: prefixOf(key),
        hash: lookupHash(key),
        ...(caps && { caps: toMicroCaps(caps) }),
        at: now,
      });
    }
  }
}

const toMicroCaps = (caps: Record<string, number | undefined>) =>
  Object.fromEntries(
    Object.entries(caps).flatMap(([cap, usd]) => (usd === undefined ? [] : [[cap, toMicro(usd)]])),
  );

/**
 * The development account of a start without a file. Its key is made and returned at the first start only; later
 * starts know nothing but its hash.
 */
export async function ensureDevelopment(
  store: Store,
  chosen: string | undefined,
  now: number,
): Promise<string | undefined> {
  const accounts = { dev: { balance: 1000, keys: {} } };
  await ensureAccounts(store, accounts, now);
  const accountId = idOf("acc", "dev");
  if (chosen === undefined && (await store.keys.list(accountId)).some((key) => key.isActive))
    return undefined;
  const key = chosen ?? mintKey();
  await ensureAccounts(store, { dev: { balance: 1000, keys: { development: key } } }, now);
  return key;
}
