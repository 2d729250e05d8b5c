import type { JsonObject } from "@manifold-gateway/core/codec";
import {
  type By,
  CAPS,
  type CapsChange,
  type Key,
  type KeyRef,
  type LastUse,
  lookupHash,
  mintKey,
  prefixOf,
  type RestrictionsChange,
  toMicro,
  toUsd,
} from "@manifold-gateway/store";
import { fromRestrictions } from "../access/restriction-fields.ts";
import { momentOf } from "../http/moments.ts";
import { Refusal } from "../http/refusal.ts";
import type { KeyDefaults } from "../ports/access.ts";
import type { Context } from "../ports/context.ts";
import type { Services } from "../ports/services.ts";
import { byOf, note } from "./audit.ts";

/** Caps as callers write them: US dollars. */
export type UsdCaps = { [cap in keyof CapsChange]?: number | null | undefined };

/** Caps in US dollars as the store keeps them, in micro-USD; `null` removes a cap. */
export const toMicroCaps = (caps: UsdCaps): CapsChange =>
  Object.fromEntries(
    CAPS.flatMap((cap) => {
      const usd = caps[cap];
      return usd === undefined ? [] : [[cap, usd === null ? null : toMicro(usd)]];
    }),
  );

/** A key as its owner sees it, without the key itself. */
export const toKey = (key: Key, use?: LastUse): JsonObject => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  isActive: key.isActive,
  limits: Object.fromEntries(
    CAPS.flatMap((cap) => (key.caps[cap] === undefined ? [] : [[cap, toUsd(key.caps[cap])]])),
  ),
  ...(key.restrictions && { restrictions: fromRestrictions(key.restrictions) as JsonObject }),
  createdAt: momentOf(key.createdAt),
  ...(use && { lastUsedAt: momentOf(use.at) }),
  ...(use?.address !== undefined && { lastUsedFrom: use.address }),
  ...(key.revokedAt !== undefined && { revokedAt: momentOf(key.revokedAt) }),
});

/** The defaults of new keys, as callers see them. */
export const toDefaults = ({ caps, restrictions }: KeyDefaults): JsonObject => ({
  limits: { ...caps },
  ...(restrictions && { restrictions: fromRestrictions(withoutNulls(restrictions)) as JsonObject }),
});

/** Finds a key of this account. Throws a 404 for a key of another account, as for one that does not exist. */
export async function findKey({ store }: Pick<Services, "store">, ref: KeyRef): Promise<Key> {
  const key = await store.keys.get(ref);
  if (!key) throw noKey();
  return key;
}

export const noKey = (): Refusal => new Refusal("key_not_found", "There is no such API key.");

/** Name, status and caps of a key: the limit, the spend of the current window and the rest, in US dollars. */
export const keyInfo = async (
  services: Pick<Services, "store" | "now">,
  { id, name, isActive }: KeyRef & { name: string; isActive: boolean },
) => ({ name, isActive, ...(await capsOf(services, id)) });

/** The limit and the spend of each cap of a key, in US dollars. */
export async function capsOf({ store, now }: Pick<Services, "store" | "now">, id: string) {
  const status = await store.money.capStatus(id, now());
  const caps = CAPS.flatMap((cap) => {
    const found = status[cap];
    if (!found) return [];
    const { limit, spent, remaining } = found;
    return [[cap, { limit: toUsd(limit), spent: toUsd(spent), remaining: toUsd(remaining) }]];
  });
  return Object.fromEntries(caps);
}

/** Creates a key, with the defaults of its account. Only this reply, and `revealKey`, contain the raw key. */
export async function createKey(
  services: Pick<Services, "store" | "limits" | "id" | "now" | "keyVault" | "keyDefaults">,
  {
    accountId,
    name,
    caps: requestedCaps,
    restrictions: requestedRestrictions,
    by,
  }: { accountId: string; name: string; caps?: UsdCaps; restrictions?: RestrictionsChange; by: By },
): Promise<JsonObject> {
  const { store, keyVault, limits } = services;
  const id = `key_${services.id()}`;
  const raw = mintKey();
  const defaults = services.keyDefaults(accountId);
  const caps = withoutNulls(toMicroCaps({ ...defaults?.caps, ...requestedCaps }));
  const made = await store.keys.create(
    {
      id,
      accountId,
      name,
      prefix: prefixOf(raw),
      hash: lookupHash(raw),
      ...(keyVault && { sealed: keyVault.seal(raw, id) }),
      caps,
      restrictions: { ...defaults?.restrictions, ...requestedRestrictions },
      at: services.now(),
      by,
    },
    limits.keys,
  );
  if (!made.ok)
    throw new Refusal("key_limit_reached", `An account may have ${made.limit} API keys; revoke one first.`);
  return { ...toKey(made.key), key: raw };
}

const withoutNulls = <T extends object>(change: T) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== null)) as {
    [name in keyof T]: Exclude<T[name], null>;
  };

/** Returns the raw key again, if it was stored encrypted. */
export async function revealKey(
  context: Context<"addressOf" | "keyVault" | "log" | "now" | "store">,
  ref: KeyRef,
): Promise<JsonObject> {
  const { store, keyVault } = context.services;
  const key = await store.keys.get(ref);
  const sealed = await store.keys.sealed(ref);
  if (!key || key.revokedAt !== undefined) throw noKey();
  const raw = sealed && keyVault?.open(sealed, ref.id);
  if (raw === undefined)
    throw new Refusal("key_not_kept", "This API key was not stored in a form that can be revealed.");
  const act = { action: "key_revealed", accountId: ref.accountId, subject: ref.id };
  await store.auditLog.add(byOf(context), act);
  note(context, act.action, { account: ref.accountId, key: ref.id });
  return { id: key.id, key: raw };
}
