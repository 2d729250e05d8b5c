import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKeyVault } from "@manifold-gateway/gateway/admin";
import { isKey, openSqlite } from "@manifold-gateway/store";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSecrets } from "../../../apps/server/src/config/sealed-secrets.ts";
import { runCommand } from "../../support/commands.ts";

const [OLD, NEW, OTHER] = ["ab".repeat(32), "cd".repeat(32), "ef".repeat(32)];
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "manifold-reseal-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command line under a configuration with these secrets. */
function run(secrets: readonly string[], line: string, input = "") {
  const file = join(folder, "manifold.json");
  const store = `sqlite:${join(folder, "manifold.db")}`;
  writeFileSync(file, JSON.stringify({ store, keyEncryptionSecrets: secrets }));
  return runCommand(`${line} --config ${file}`, { input });
}

/** What these secrets decrypt: keys, and the credentials of all declarations, earlier ones included. */
async function readable(...secrets: string[]) {
  const store = await openSqlite({ path: join(folder, "manifold.db") });
  const vault = createKeyVault(secrets.map((secret) => Buffer.from(secret, "hex")));
  const [{ id: accountId } = { id: "" }] = (await store.accounts.list({ offset: 0, limit: 1 })).results;
  const keys: (string | undefined)[] = [];
  for (const { id } of await store.keys.list(accountId)) {
    const sealed = await store.keys.sealed({ accountId, id });
    if (sealed) keys.push(vault?.open(sealed, id));
  }
  const declared = await store.declarations.historyOf(1);
  await store.close();
  return { keys, credentials: declared.map((one) => Object.values(openSecrets(one, vault) ?? {})) };
}

it("keys and credentials are encrypted anew, so that the secret of before can be taken away", async () => {
  const provider = (key: string) =>
    JSON.stringify({ protocol: "chatstyle", origin: "http://127.0.0.1:9", key });
  await run([OLD], "accounts create Ada");
  for (const name of ["one", "two"]) await run([OLD], `keys create Ada ${name}`);
  for (const key of ["first-credential-0123", "second-credential-0123"])
    await run([OLD], "catalog set providers declared", provider(key));
  const before = await readable(OLD);
  expect(before.keys.filter((key) => key !== undefined && isKey(key))).toHaveLength(2);
  expect(before.credentials).toEqual([["first-credential-0123"], ["second-credential-0123"]]);

  const renewed = await run([OLD, NEW], "reseal");
  expect(renewed).toMatchObject({ code: 0, lines: [{ keys: 2, declarations: 2, lost: 0 }] });
  expect(await readable(NEW)).toEqual(before);
  expect((await readable(OLD)).keys).toEqual([undefined, undefined]);

  const without = await run([OTHER], "reseal");
  expect(without).toMatchObject({ code: 1, lines: [{ keys: 0, declarations: 0, lost: 4 }] });
  expect(await readable(NEW)).toEqual(before);
  const log = (await run([NEW], "audit-log")).lines.filter(({ action }) => action === "secrets_resealed");
  expect(log.map(({ after }) => after.lost).sort()).toEqual([0, 4]);
  await expect(run([], "reseal")).rejects.toThrow("keyEncryptionSecrets");
});
