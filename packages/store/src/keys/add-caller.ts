import type { Store } from "../store.ts";
import { couldBeKey, lookupHash, mintKey, prefixOf } from "./secret.ts";

/** A caller: an account that pays, and a key of it. */
export interface CallerOptions {
  /** The account's id, created if it is missing. */
  account: string;
  /** A name for people, of the account and the key. Default: the account's present name, or its id. */
  name?: string;
  /** The account's first credit, in micro-USD; a repeated call with the same amount gives none. Default: none. */
  credit?: number;
  /** A key of 32 characters or more that exists already, such as from a variable. Default: a new one. */
  key?: string;
}

/**
 * Adds an account with credit and a key, and returns the key: what a program needs for its first request.
 *
 *     const key = await addCaller(store, { account: "me", credit: 5_000_000 });
 *
 * Throws a `RangeError` for an invalid key or amount and for a key of another account.
 */
export async function addCaller(
  { accounts, keys }: Pick<Store, "accounts" | "keys">,
  { account, name: newName, credit = 0, key = mintKey() }: CallerOptions,
): Promise<string> {
  if (key.length < 32 || !couldBeKey(key))
    throw new RangeError("addCaller: key: must have 32 characters or more, and no mistyped checksum.");
  const at = Date.now();
  const name = newName ?? (await accounts.get(account))?.name ?? account;
  await accounts.ensure({ id: account, name, at });
  if (credit !== 0)
    await accounts.credit({
      accountId: account,
      amount: credit,
      kind: "topup",
      reference: `first:${account}`,
      at,
    });
  const hash = lookupHash(key);
  const id = `key_${hash.slice(0, 24)}`;
  await keys.ensure({ id, accountId: account, name, prefix: prefixOf(key), hash, at });
  return key;
}
