import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "@manifold/store";
import { expect, it } from "vitest";
import { openDesk } from "./desk.ts";

it("what changes of a key in one process is so in another when it looks again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "manifold-account-"));
  const [mine, theirs] = await Promise.all([1, 2].map(() => openSqlite({ path: join(folder, "store.db") })));
  const desk = await openDesk({ store: mine! });
  try {
    const balance = async () => (await desk.byKey("/api/compat/v1/balance")).status;
    expect(await balance()).toBe(200);
    for (const [change, status] of [
      [() => theirs!.keys.disable({ accountId: "acc", id: "key" }), 401],
      [() => theirs!.keys.enable({ accountId: "acc", id: "key" }), 200],
      [() => theirs!.accounts.setActive("acc", false), 401],
      [() => theirs!.accounts.setActive("acc", true), 200],
      [() => theirs!.keys.revoke({ accountId: "acc", id: "key" }, 1), 401],
    ] as const) {
      await change();
      desk.pass(250);
      expect(await balance()).toBe(status);
    }
  } finally {
    await desk.close();
    await mine!.close();
    await theirs!.close();
    rmSync(folder, { recursive: true });
  }
});

it("looks again when the clock was set back", async () => {
  const desk = await openDesk();
  await desk.byKey("/api/compat/v1/balance");
  await desk.store.keys.disable({ accountId: "acc", id: "key" });
  desk.pass(-3_600_000);
  expect((await desk.byKey("/api/compat/v1/balance")).status).toBe(401);
  await desk.close();
});

it("does not remember what was read while it changed", async () => {
  const store = await openSqlite({ path: ":memory:" });
  let meanwhile: (() => Promise<unknown>) | undefined;
  const slow = {
    ...store,
    keys: {
      ...store.keys,
      async find(hash: string) {
        const found = await store.keys.find(hash);
        await meanwhile?.();
        return found;
      },
    },
  };
  const desk = await openDesk({ store: slow });
  meanwhile = async () => {
    meanwhile = undefined;
    await store.keys.disable({ accountId: "acc", id: "key" });
    desk.pass(250);
    await desk.send("GET", "/api/compat/v1/balance", { headers: { "x-api-key": "another" } });
  };
  expect((await desk.byKey("/api/compat/v1/balance")).status).toBe(200);
  expect((await desk.byKey("/api/compat/v1/balance")).status).toBe(401);
  await desk.close();
  await store.close();
});
