import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite, type Store } from "@manifold-gateway/store";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseConfig } from "../../apps/server/src/config/load.ts";
import { startHost } from "../../apps/server/src/host.ts";
import { createLog } from "../../apps/server/src/logging/log.ts";
import { startSweeps } from "../../apps/server/src/periodic/sweeps.ts";
import { addPayer } from "./commands/payer.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "manifold-records-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const silent = createLog("silent");
const read = (store: Store) => store.generations.get({ id: "g", accountId: "acc" });

/** A generation of the account `acc` that was asked for so long ago. */
async function ask(store: Store, at: number): Promise<void> {
  await addPayer(store, "key-of-the-payer-0123456789abcdef");
  const request = { model: "m", prompt: "Hello" };
  const generation = { id: "g", accountId: "acc", modality: "text", model: "m", request } as const;
  await store.money.reserve({ generation, amount: 1, at, policy: "strict" });
}

it.each([
  [{}, { model: "m", prompt: "Hello" }],
  [{ requests: "metadata" }, { model: "m", prompt: "5 characters" }],
  [{ requests: "none" }, undefined],
])("a service keeps of requests what its file says: %j", async (records, kept) => {
  const config = parseConfig(
    { server: { port: 0 }, store: "sqlite::memory:", objects: `file:${join(folder, "objects")}`, records },
    {},
  );
  const host = await startHost({ config, env: {}, log: silent, prepare: async () => {} });
  await ask(host.store, Date.now());
  expect((await read(host.store))?.request).toEqual(kept);
  await host.stop();
});

it("a service deletes old texts while it runs", async () => {
  const store = await openSqlite({ path: ":memory:", records: { days: 1 } });
  await ask(store, Date.now() - 2 * 24 * 3_600_000);
  expect((await read(store))?.request).toBeDefined();
  const sweeps = startSweeps(store, silent, 1_000_000, 1);
  await expect.poll(async () => (await read(store))?.request).toBeUndefined();
  await sweeps.stop();
  await store.close();
});

it.each([
  [{ requests: "some" }, /records\.requests: .*none.*metadata.*full/],
  [{ days: 0 }, /records\.days/],
  [{ quota: 1_000 }, /records\.quota/],
  [{ replies: "some" }, /records\.replies: .*none.*metadata.*full/],
  [{ replyBytes: 1 }, /records\.replyBytes/],
  [
    { keep: 3 },
    /records\.keep: there is no such field; known are requests, replies, replyBytes, days, quota/,
  ],
])("a file that says %j of records is refused", (records, finding) => {
  expect(() => parseConfig({ records }, {})).toThrow(finding);
});
