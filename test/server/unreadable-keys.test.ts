import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKeyVault } from "@manifold-gateway/gateway/admin";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseConfig } from "../../apps/server/src/config/load.ts";
import { ensureAccounts } from "../../apps/server/src/configured-accounts.ts";
import { startHost } from "../../apps/server/src/host.ts";
import { createLog } from "../../apps/server/src/logging/log.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "manifold-seals-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [first, second] = ["ab", "cd"].map((byte) => byte.repeat(32)) as [string, string];
const MESSAGE = "keys cannot be revealed: no key encryption secret decrypts them";

/** Starts with these seals, after a start that made these keys; gives how many keys the log says are lost. */
async function lostAfter(seals: string[], keys: object): Promise<number | undefined> {
  const lines: string[] = [];
  const config = parseConfig(
    {
      server: { port: 0 },
      store: `sqlite:${join(folder, "store.db")}`,
      objects: `file:${join(folder, "objects")}`,
      accounts: { dev: { keys } },
      keyEncryptionSecrets: seals,
    },
    {},
  );
  const host = await startHost({
    config,
    env: {},
    log: createLog("warn", { write: (line) => void lines.push(line) }),
    prepare: (store) =>
      ensureAccounts(
        store,
        config.accounts,
        Date.now(),
        createKeyVault(seals.map((one) => Buffer.from(one, "hex"))),
      ),
  });
  await host.stop();
  return lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === MESSAGE)?.keys;
}

it("a start reports how many keys no secret opens, and nothing where each can be opened", async () => {
  const made = { a: "key-one-of-the-first-seal-0123456789", b: "key-two-of-the-first-seal-0123456789" };
  expect(await lostAfter([first], made)).toBeUndefined();
  expect(await lostAfter([], {})).toBe(2);
  expect(await lostAfter([second], { c: "key-of-the-second-seal-0123456789ab" })).toBe(2);
  expect(await lostAfter([second, first], {})).toBeUndefined();
  expect(await lostAfter([first], {})).toBe(1);
});
