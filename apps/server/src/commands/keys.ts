import { randomUUID } from "node:crypto";
import {
  createKey,
  keyInfo,
  nameField,
  toKey,
  toMicroCaps,
  type UsdCaps,
} from "@manifold-gateway/gateway/admin";
import { CAPS, type Store } from "@manifold-gateway/store";
import { keyVaultOf } from "../config/build.ts";
import { toKeyDefaults } from "../config/key-defaults.ts";
import { accountIdIn } from "../configured-accounts.ts";
import { byCommand, fieldOf, onStore } from "./command.ts";
import { findAccount, findKey } from "./lookup.ts";
import { Misuse } from "./misuse.ts";
import type { Options } from "./options.ts";
import { restrictionsOf } from "./restrictions.ts";
import { show, showAll } from "./show.ts";

const COLUMNS = [
  "id",
  "name",
  "prefix",
  "isActive",
  "limits",
  "restrictions",
  "createdAt",
  "lastUsedAt",
  "lastUsedFrom",
];

/** The caps on a command line: dollars, or `none` to clear one. */
function capsOf(options: Options): UsdCaps {
  const caps: UsdCaps = {};
  for (const cap of CAPS) {
    const text = options[cap];
    if (text === undefined) continue;
    const usd = text === "none" ? null : Number(text);
    if (text === "" || (usd !== null && !(usd >= 0 && usd <= 1_000_000_000)))
      throw new Misuse(`--${cap} is an amount in US dollars, or none`);
    caps[cap] = usd;
  }
  return caps;
}

/** The account and the key that the first two words name. */
async function keyOf(store: Store, [account = "", word = ""]: readonly string[]) {
  const { id: accountId } = await findAccount(store, account);
  const { id } = await findKey(store, accountId, word);
  return { accountId, id };
}

export const keys = onStore({
  async create(store, call, config) {
    const [account = "", name] = call.words;
    const { id: accountId } = await findAccount(store, account);
    const keyVault = keyVaultOf(config);
    const services = {
      store,
      limits: config.limits,
      id: () => randomUUID().replaceAll("-", ""),
      now: Date.now,
      keyVault,
      keyDefaults: toKeyDefaults(config.keyDefaults, accountIdIn(config)),
    };
    const key = {
      accountId,
      name: fieldOf("NAME", nameField, name),
      caps: capsOf(call.options),
      restrictions: restrictionsOf(call.options),
      by: byCommand(),
    };
    show(call, await createKey(services, key));
  },
  async list(store, call) {
    const [account = ""] = call.words;
    const { id } = await findAccount(store, account);
    const all = await store.keys.list(id);
    const uses = await store.keyUses.of(all.map((key) => key.id));
    await showAll(
      call,
      COLUMNS,
      all.map((key) => toKey(key, uses.get(key.id))),
    );
  },
  async revoke(store, call) {
    const key = await keyOf(store, call.words);
    const by = byCommand();
    await store.keys.revoke(key, by.at, by);
    show(call, { id: key.id, revoked: true });
  },
  async limit(store, call) {
    const caps = toMicroCaps(capsOf(call.options));
    const { accountId, id } = await keyOf(store, call.words);
    await store.keys.change({ accountId, id }, { caps }, byCommand());
    const key = await findKey(store, accountId, id);
    show(call, { id, ...(await keyInfo({ store, now: Date.now }, key)) });
  },
  async restrict(store, call) {
    const restrictions = restrictionsOf(call.options);
    const { accountId, id } = await keyOf(store, call.words);
    await store.keys.change({ accountId, id }, { restrictions }, byCommand());
    show(call, toKey(await findKey(store, accountId, id)));
  },
});
