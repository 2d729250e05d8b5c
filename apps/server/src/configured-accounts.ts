import { createHash, randomBytes } from "node:crypto";
import {
  hashPassword,
  isPassword,
  type KeyVault,
  toMicroCaps,
  toRestrictionsChange,
} from "@manifold-gateway/gateway/admin";
import {
  type Caps,
  KeyTaken,
  lookupHash,
  mintKey,
  prefixOf,
  ReferenceTaken,
  type Store,
  toMicro,
} from "@manifold-gateway/store";
import { rawKey } from "./config/accounts.ts";
import { keyVaultOf } from "./config/build.ts";
import { checkValue, describeFaults } from "./config/findings.ts";
import { ConfigError } from "./config/read.ts";
import type { Config } from "./config/schema.ts";
import type { Environment } from "./config/variables.ts";

/** A stable id derived from names in a configuration, so that the same name has the same row after every start. */
const idOf = (kind: string, ...names: string[]): string =>
  `${kind}_${createHash("sha256").update(names.join("\0")).digest("hex").slice(0, 24)}`;

/** The id of an account that a configuration names. */
export const accountIdOf = (name: string): string => idOf("acc", name);

/** Finds the id of an account by its name in a configuration, or by the id itself. */
export const accountIdIn =
  ({ accounts }: Pick<Config, "accounts">) =>
  (name: string): string =>
    Object.hasOwn(accounts, name) ? accountIdOf(name) : name;

/** Creates the accounts and keys of a configuration, before anything listens. */
export const ensureConfigured = (store: Store, config: Config): Promise<void> =>
  ensureAccounts(store, config.accounts, Date.now(), keyVaultOf(config));

/** Creates the accounts and keys of a configuration that are missing. A balance is credited once, on creation. */
export async function ensureAccounts(
  store: Store,
  accounts: Config["accounts"],
  now: number,
  keyVault?: KeyVault,
): Promise<void> {
  for (const [name, { balance, keys }] of Object.entries(accounts)) {
    const id = accountIdOf(name);
    const by = { actor: "configuration", at: now };
    await store.accounts.ensure({ id, name, at: now, by });
    if (balance > 0) {
      const reference = idOf("opening", name);
      const opening = {
        accountId: id,
        reference,
        kind: "topup",
        amount: toMicro(balance),
        at: now,
        by,
      } as const;
      // Credited once: a later change of the file does not credit it again.
      await store.accounts.credit(opening).catch((error: unknown) => {
        if (!(error instanceof ReferenceTaken)) throw error;
      });
    }
    for (const [keyName, value] of Object.entries(keys)) {
      const given = typeof value === "string" ? { key: value } : value;
      const { key, caps, restrictions } = given as Exclude<typeof value, string>;
      const keyId = idOf("key", name, keyName);
      const row = {
        id: keyId,
        accountId: id,
        name: keyName,
        prefix: prefixOf(key),
        hash: lookupHash(key),
        ...(keyVault && { sealed: keyVault.seal(key, keyId) }),
        ...(caps && { caps: toMicroCaps(caps) as Caps }),
        ...(restrictions && { restrictions: toRestrictionsChange(restrictions) }),
        at: now,
        by,
      };
      try {
        await store.keys.ensure(row);
      } catch (error) {
        throw error instanceof KeyTaken
          ? await toMoved(store, `accounts.${name}.keys.${keyName}`, error)
          : error;
      }
    }
  }
}

/** Explains that a key is already stored under another name, to which its usage and its revocation belong. */
async function toMoved(store: Store, here: string, { key }: KeyTaken): Promise<ConfigError> {
  const account = await store.accounts.get(key.accountId);
  const state = key.revokedAt === undefined ? "" : ", and is revoked";
  return new ConfigError(
    `${here}: this key is stored as '${key.name}' of the account '${account?.name ?? key.accountId}'${state}; a key cannot be moved: use another key here, or the old name`,
  );
}

/** Credentials of the development account. The start that creates one shows it, unless the environment sets it. */
export interface Development {
  accountId: string;
  key?: string;
  password?: string;
}

/**
 * Creates the development account of a start without a file. Its key and its password are created only at the first
 * start, unless the environment sets them; later starts have only hashes and encrypted copies.
 */
export async function ensureDevelopment(
  store: Store,
  env: Environment,
  now: number,
  keyVault?: KeyVault,
): Promise<Development> {
  const id = accountIdOf("dev");
  const made: Development = { accountId: id };
  await ensureAccounts(store, { dev: { balance: 1000, keys: {} } }, now);
  const parsedKey = env.MANIFOLD_DEV_KEY ? checkValue(rawKey, env.MANIFOLD_DEV_KEY) : undefined;
  if (parsedKey && "faults" in parsedKey)
    throw new ConfigError(`MANIFOLD_DEV_KEY: ${describeFaults(parsedKey.faults)}`);
  const key = parsedKey ? undefined : await makeFirstKey(store, id, now, keyVault);
  if (key) made.key = key;
  if (env.MANIFOLD_DEV_KEY)
    await ensureAccounts(
      store,
      { dev: { balance: 1000, keys: { development: env.MANIFOLD_DEV_KEY } } },
      now,
      keyVault,
    );
  const login = await store.accounts.findLogin("dev");
  const chosen = env.MANIFOLD_DEV_PASSWORD;
  // A hash that cannot be checked here is replaced by one that can.
  const isSet = (hash: string): Promise<boolean> => isPassword(chosen ?? "", hash).catch(() => false);
  if (login && (!chosen || (await isSet(login.passwordHash)))) return made;
  const password = chosen || randomBytes(12).toString("base64url");
  const setting = { id, login: "dev", hash: await hashPassword(password), at: now };
  const done = await store.accounts.setPassword({ ...setting, ...(!chosen && { first: true }) });
  if (done === "set" && !chosen) made.password = password;
  return made;
}

/** Creates a key for an account without one; undefined if it has one, possibly from a process starting right now. */
async function makeFirstKey(
  store: Store,
  accountId: string,
  now: number,
  keyVault?: KeyVault,
): Promise<string | undefined> {
  const keys = await store.keys.list(accountId);
  if (keys.some(({ revokedAt }) => revokedAt === undefined)) return undefined;
  const name = "development";
  const configured = idOf("key", "dev", name);
  const isSpent = keys.some(({ id }) => id === configured);
  const id = isSpent ? `key_${randomBytes(12).toString("hex")}` : configured;
  const key = mintKey();
  const hash = lookupHash(key);
  const sealed = keyVault?.seal(key, id);
  const row = { id, accountId, name, prefix: prefixOf(key), hash, ...(sealed && { sealed }), at: now };
  await store.keys.create(row, 1);
  return (await store.keys.find(hash)) && key;
}
