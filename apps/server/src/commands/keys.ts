import { randomUUID } from "node:crypto";
import {
  createKey,
  createKeyVault,
  keyInfo,
  nameField,
  toKey,
  toMicroCaps,
  type UsdCaps,
} from "@manifold-gateway/gateway/admin";
import { CAPS, type Store } from "@manifold-gateway/store";
import { toAccess } from "../config/build.ts";
import { ConfigError } from "../config/read.ts";
import type { Config } from "../config/schema.ts";
import { byCommand, type Call, type Command, fieldOf, misused, type Options, withStore } from "./command.ts";
import { findAccount, findKey } from "./lookup.ts";
import { restrictionsOf } from "./restrictions.ts";

const usage = [
  ["create ACCOUNT NAME [--daily USD …] [--models ID,…]", "make a key with caps and restrictions, print it"],
  ["list ACCOUNT", "list its keys"],
  ["revoke ACCOUNT KEY", "end a key for good"],
  ["limit ACCOUNT KEY [--daily|weekly|monthly|total USD|none]", "set or clear caps, print them all"],
  [
    "restrict ACCOUNT KEY [--requests-per-minute|tokens-per-minute|concurrent-requests N|none] [--models ID,…] [--surfaces NAME,…] [--expires-at TIME]",
    "set or lift restrictions, print the key",
  ],
] as const;

/** The caps on a command line: dollars, or `none` to clear one. */
function capsOf(options: Options): UsdCaps {
  const caps: UsdCaps = {};
  for (const cap of CAPS) {
    const text = options[cap];
    if (text === undefined) continue;
    const usd = text === "none" ? null : Number(text);
    if (text === "" || (usd !== null && !(usd >= 0 && usd <= 1_000_000_000)))
      throw new ConfigError(`--${cap} is an amount in US dollars, or none`);
    caps[cap] = usd;
  }
  return caps;
}

type Action = (store: Store, words: [string, string?], call: Call, config: Config) => Promise<void>;

const show = ({ print }: Call, value: object): void => print(JSON.stringify(value));

const actions: Record<string, Action> = {
  async create(store, [accountId, name], call, config) {
    if (!name) throw misused({ usage }, "keys");
    const keyVault = createKeyVault(toAccess(config).keyEncryptionSecrets ?? []);
    const services = {
      store,
      limits: config.limits,
      id: () => randomUUID().replaceAll("-", ""),
      now: Date.now,
      ...(keyVault && { keyVault }),
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
  async list(store, [accountId], call) {
    for (const key of await store.keys.list(accountId)) show(call, toKey(key));
  },
  async revoke(store, [accountId, word], call) {
    if (!word) throw misused({ usage }, "keys");
    const { id } = await findKey(store, accountId, word);
    const by = byCommand();
    await store.keys.revoke({ accountId, id }, by.at, by);
    show(call, { id, revoked: true });
  },
  async limit(store, [accountId, word], call) {
    if (!word) throw misused({ usage }, "keys");
    const change = toMicroCaps(capsOf(call.options));
    const { id } = await findKey(store, accountId, word);
    await store.keys.setCaps({ accountId, id }, change, byCommand());
    const key = await findKey(store, accountId, id);
    show(call, { id, ...(await keyInfo({ store, now: Date.now }, key)) });
  },
  async restrict(store, [accountId, word], call) {
    if (!word) throw misused({ usage }, "keys");
    const change = restrictionsOf(call.options);
    const { id } = await findKey(store, accountId, word);
    await store.keys.restrict({ accountId, id }, change, byCommand());
    show(call, toKey(await findKey(store, accountId, id)));
  },
};

export const keys: Command = {
  usage,
  async run(call) {
    const [name = "", account, word] = call.words;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action || !account) throw misused({ usage }, "keys");
    await withStore(call, async (store, config) => {
      const { id } = await findAccount(store, account);
      await action(store, [id, word], call, config);
    });
    return 0;
  },
};
