import type { Selectable } from "kysely";
import type { Tables } from "../engine/tables.ts";
import { toCaps, toLimits } from "../pricing/caps.ts";
import type { Key, KeyChange, NewKey } from "./keys.ts";
import type { Restrictions, RestrictionsChange } from "./restrictions.ts";
import type { Sealed } from "./secret.ts";

export type KeyRow = Selectable<Tables["api_keys"]>;
export type KeyColumns = Partial<Omit<KeyRow, "revision">>;

/** The restrictions after a change, as a column. */
function changeRestrictions(stored: string | null, change: RestrictionsChange): string | null {
  const changed = { ...toRestrictions(stored), ...change };
  const left = Object.entries(changed).filter(([, value]) => value !== null && value !== undefined);
  return left.length === 0
    ? null
    : JSON.stringify(Object.fromEntries(left.sort(([a], [b]) => (a < b ? -1 : 1))));
}

const toRestrictions = (stored: string | null): Restrictions | undefined =>
  stored === null ? undefined : (JSON.parse(stored) as Restrictions);

export const toRow = (key: NewKey): KeyRow => ({
  id: key.id,
  account_id: key.accountId,
  lookup_hash: key.hash,
  prefix: key.prefix,
  name: key.name,
  active: 1,
  revision: 1,
  daily_limit: null,
  weekly_limit: null,
  monthly_limit: null,
  total_limit: null,
  ...toLimits(key.caps ?? {}),
  sealed: key.sealed?.ciphertext ?? null,
  sealed_nonce: key.sealed?.nonce ?? null,
  sealed_version: key.sealed?.version ?? null,
  created_at: key.at,
  revoked_at: null,
  restrictions: changeRestrictions(null, key.restrictions ?? {}),
});

/**
 * The members of a stored key that a configuration replaces: not its revocation, and its caps and restrictions only if
 * they are given.
 */
export function toConfigured(key: NewKey, stored: KeyRow): KeyColumns {
  const { lookup_hash, prefix, name, sealed, sealed_nonce, sealed_version } = toRow(key);
  // Each encryption has another nonce, so the copy is replaced only if the key or the version differs.
  const isSame = stored.lookup_hash === lookup_hash && stored.sealed_version === sealed_version;
  return {
    lookup_hash,
    prefix,
    name,
    ...(isSame || stored.revoked_at !== null ? {} : { sealed, sealed_nonce, sealed_version }),
    ...toLimits(key.caps ?? {}),
    restrictions: changeRestrictions(stored.restrictions, key.restrictions ?? {}),
  };
}

/** The columns of a changed key. */
export const toColumns = (
  { name, isActive, caps = {}, restrictions }: KeyChange,
  stored: KeyRow,
): KeyColumns => ({
  ...(name !== undefined && { name }),
  ...(isActive !== undefined && { active: isActive ? 1 : 0 }),
  ...toLimits(caps),
  ...(restrictions && { restrictions: changeRestrictions(stored.restrictions, restrictions) }),
});

export function toSealed(
  row: Pick<KeyRow, "sealed" | "sealed_nonce" | "sealed_version">,
): Sealed | undefined {
  const { sealed: ciphertext, sealed_nonce: nonce, sealed_version: version } = row;
  if (ciphertext === null || nonce === null || version === null) return undefined;
  return { ciphertext, nonce, version };
}

export const toKey = (row: KeyRow): Key => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  prefix: row.prefix,
  isActive: row.active === 1,
  caps: toCaps(row),
  ...(row.restrictions === null ? {} : { restrictions: toRestrictions(row.restrictions)! }),
  revision: row.revision,
  createdAt: row.created_at,
  ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
});
