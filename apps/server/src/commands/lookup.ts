import type { Account, Key, Store } from "@manifold-gateway/store";
import { ConfigError } from "../config/read.ts";

const PAGE = 100;

/** All accounts, oldest first. */
export async function* everyAccount(store: Store): AsyncGenerator<Account> {
  for (let offset = 0; ; offset += PAGE) {
    const { results } = await store.accounts.list({ offset, limit: PAGE });
    yield* results;
    if (results.length < PAGE) return;
  }
}

/** The accounts with a name, which several may have. */
export async function accountsNamed(store: Store, name: string): Promise<Account[]> {
  const found: Account[] = [];
  for await (const account of everyAccount(store)) if (account.name === name) found.push(account);
  return found;
}

/** Finds an account by its id, or by a name that only one account has. */
export async function findAccount(store: Store, word: string): Promise<Account> {
  const byId = await store.accounts.get(word);
  if (byId) return byId;
  const found = await accountsNamed(store, word);
  const [only] = found;
  if (!only) throw new ConfigError(`there is no account '${word}'`);
  if (found.length > 1)
    throw new ConfigError(
      `several accounts are named '${word}'; name one by its id: ${found.map(({ id }) => id).join(", ")}`,
    );
  return only;
}

/** Finds a key by its id, or by a name that only one of the account's keys has. */
export async function findKey(store: Store, accountId: string, word: string): Promise<Key> {
  const keys = (await store.keys.list(accountId)).filter(({ revokedAt }) => revokedAt === undefined);
  const found = keys.filter(({ id, name }) => id === word || name === word);
  const [only] = found;
  if (!only) throw new ConfigError(`the account has no key '${word}'`);
  if (found.length > 1)
    throw new ConfigError(`several keys are named '${word}': ${found.map(({ id }) => id).join(", ")}`);
  return only;
}
