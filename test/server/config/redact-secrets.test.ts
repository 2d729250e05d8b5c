import { openSqlite } from "@manifold-gateway/store";
import { expect, it } from "vitest";
import { parseConfig } from "../../../apps/server/src/config/load.ts";
import { recordConfig } from "../../../apps/server/src/config/redact-secrets.ts";

const ADMIN = "operator-credential-0123456789abcdef";
const configOf = (limits: object, key: unknown = "provider-key-0123456789") =>
  parseConfig(
    {
      server: { adminKey: ADMIN, adminKeys: { grace: `${ADMIN}-of-grace` } },
      store: "postgres://me:database-password@db/manifold",
      sessions: { secret: "session-secret-0123456789abcdef0123" },
      keyEncryptionSecrets: ["feed".repeat(16)],
      providers: {
        p: { protocol: "chatstyle", origin: "https://p.test", key, headers: { "x-k": "header-secret" } },
      },
      limits,
    },
    {},
  );

it("credentials of a list stand in the audit log by their names and without their secrets", async () => {
  const store = await openSqlite({ path: ":memory:" });
  const key = ["provider-key-one", { name: "team-b", key: "provider-key-two", weight: 3 }];
  await recordConfig(store, configOf({}, key), 1);
  const { results } = await store.auditLog.list({ subject: "providers" }, { offset: 0, limit: 1 });
  const secret = expect.stringMatching(/^secret [0-9a-f]{6}$/);
  expect(results[0]?.after).toMatchObject({
    providers: { p: { key: [secret, { name: "team-b", key: secret, weight: 3 }] } },
  });
  expect(JSON.stringify(results)).not.toContain("provider-key");
  await store.close();
});

it("changes of a configuration are in the audit log, without secrets", async () => {
  const store = await openSqlite({ path: ":memory:" });
  const list = () => store.auditLog.list({}, { offset: 0, limit: 100 });
  await recordConfig(store, configOf({}), 1);
  const { results: first } = await list();
  expect(first.map(({ subject }) => subject)).toContain("providers");
  const secrets = /operator-cred|database-password|session-secret|feedfeed|provider-key|header-secret/;
  expect(JSON.stringify(first)).not.toMatch(secrets);

  await recordConfig(store, configOf({}), 2);
  expect((await list()).total).toBe(first.length);

  await recordConfig(store, configOf({ keys: 5 }, "another-provider-key"), 3);
  const { results } = await list();
  const added = results.slice(0, results.length - first.length);
  expect(added.map(({ subject }) => subject).sort()).toEqual(["limits", "providers"]);
  const limits = added.find(({ subject }) => subject === "limits");
  expect(limits).toMatchObject({
    actor: "configuration",
    before: { limits: { keys: 100 } },
    after: { limits: { keys: 5 } },
  });
  await store.close();
});
