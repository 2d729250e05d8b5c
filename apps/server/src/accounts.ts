import { createHash, randomBytes } from "node:crypto";
import { hashPassword, isPassword, type Seals } from "@manifold/gateway";
import { lookupHash, mintKey, prefixOf, type Store, toMicro } from "@manifold/store";
import type { Environment } from "./config/load.ts";
import type { Config } from "./config/schema.ts";

/** A stable id for what a configuration names: the same name, the same row after every start. */
const idOf = (kind: string, ...names: string[]): string =>
  `${kind}_${createHash("sha256").update(names.join("\0")).digest("hex").slice(0, 24)}`;

/** Makes the accounts and keys of a configuration where they are missing. A balance is credited once, at making. */
export async function ensureAccounts(
  store: Store,
  accounts: Config["accounts"],
  now: number,
  seals?: Seals,
): Promise<void> {
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
      const keyId = idOf("key", name, keyName);
      await store.keys.ensure({
        id: keyId,
        accountId: id,
        name: keyName,
        prefix: prefixOf(key),
        hash: lookupHash(key),
        ...(seals && { sealed: seals.seal(key, keyId) }),
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

/** What the development account is reached by; each is told at the start that makes it. */
export interface Development {
  key?: string;
  password?: string;
}

/**
 * The development account of a start without a file. Its key and its password are made at the first start only,
 * unless the environment chooses them; later starts know nothing but hashes and seals.
 */
export async function ensureDevelopment(
  store: Store,
  env: Environment,
  now: number,
  seals?: Seals,
): Promise<Development> {
  const made: Development = {};
  await ensureAccounts(store, { dev: { balance: 1000, keys: {} } }, now);
  const id = idOf("acc", "dev");
  const hasKey = (await store.keys.list(id)).some((key) => key.isActive);
  if (env.MANIFOLD_DEV_KEY || !hasKey) {
    made.key = env.MANIFOLD_DEV_KEY || mintKey();
    await ensureAccounts(store, { dev: { balance: 1000, keys: { development: made.key } } }, now, seals);
  }
  const login = await store.accounts.findLogin("dev");
  const chosen = env.MANIFOLD_DEV_PASSWORD;
  if (chosen ? !login || !(await isPassword(chosen, login.passwordHash)) : !login) {
    made.password = chosen || randomBytes(12).toString("base64url");
    await store.accounts.setPassword({ id, login: "dev", hash: await hashPassword(made.password), at: now });
  }
  return made;
}
