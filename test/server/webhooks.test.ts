import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "@manifold-gateway/store";
import Client from "better-sqlite3";
import { expect, it } from "vitest";
import { makeCaller, makeReservation } from "../store/fixtures.ts";
import { runCommand } from "../support/commands.ts";

it("a cap that a command lowers below what was spent writes its event", async ({ onTestFinished }) => {
  const folder = await mkdtemp(join(tmpdir(), "manifold-webhooks-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "manifold.db");
  const store = await openSqlite({ path });
  const caller = await makeCaller(store, { caps: { total: 1_000_000 } });
  const reservation = makeReservation(caller, 500_000);
  const { id } = reservation.generation;
  expect(await store.money.reserve(reservation)).toEqual({ ok: true });
  await store.money.settle({ id, accountId: caller.accountId, cost: 500_000, status: "succeeded" });
  await store.close();

  const config = join(folder, "manifold.json");
  const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
  const webhooks = [{ url: "https://example.com/events", secret, events: ["key.cap_reached"] }];
  await writeFile(config, JSON.stringify({ store: `sqlite:${path}`, webhooks }));
  const { accountId, keyId } = caller;
  const ran = await runCommand(["keys", "limit", accountId, keyId, "--total", "0.6", "--config", config]);
  expect(ran.output).toContain(keyId);

  const database = new Client(path, { readonly: true });
  onTestFinished(() => void database.close());
  const rows = database.prepare("SELECT type, data FROM outbox").all() as { type: string; data: string }[];
  expect(rows.map(({ type, data }) => ({ type, ...JSON.parse(data) }))).toMatchObject([
    { type: "key.cap_reached", accountId, apiKeyId: keyId, cap: "total", percent: 80, limit: 600_000 },
  ]);
});
