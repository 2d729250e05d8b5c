import { mintKey, openSqlite, type Store } from "@manifold-gateway/store";
import { beforeEach, expect, it } from "vitest";
import { ConfigError } from "../../apps/server/src/config/read.ts";
import { ensureAccounts } from "../../apps/server/src/configured-accounts.ts";

const key = mintKey();
let store: Store;
beforeEach(async () => {
  store = await openSqlite({ path: ":memory:" });
  await ensure({ ada: { first: key } });
  return () => store.close();
});

const ensure = (accounts: Record<string, Record<string, string>>) =>
  ensureAccounts(
    store,
    Object.fromEntries(Object.entries(accounts).map(([name, keys]) => [name, { balance: 0, keys }])),
    1_000,
  );

it.each([
  ["name", { ada: { second: key } }, "accounts.ada.keys.second"],
  ["account", { bob: { first: key } }, "accounts.bob.keys.first"],
])("a configured key that moved to another %s is reported with both places", async (_, accounts, here) => {
  const refused = expect(ensure(accounts)).rejects;
  await refused.toBeInstanceOf(ConfigError);
  await expect(ensure(accounts)).rejects.toThrow(
    `${here}: this key is stored as 'first' of the account 'ada'`,
  );
  await ensure({ ada: { first: key } });
});

it("a revoked key that moved does not come back", async () => {
  const [account] = (await store.accounts.list({ offset: 0, limit: 1 })).results;
  const accountId = account?.id ?? "";
  const [{ id } = { id: "" }] = await store.keys.list(accountId);
  await store.keys.revoke({ accountId, id }, 2_000);
  await expect(ensure({ ada: { second: key } })).rejects.toThrow("revoked");
});
