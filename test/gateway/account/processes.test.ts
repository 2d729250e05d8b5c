import type { Store } from "@manifold-gateway/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../store/databases/database.ts";
import { makePostgres } from "../../store/databases/postgres.ts";
import { makeSqlite } from "../../store/databases/sqlite.ts";
import { type Desk, openDesk } from "./desk.ts";

const DATABASES = [
  { name: "SQLite", make: makeSqlite },
  { name: "Postgres", make: makePostgres },
];

describe.each(DATABASES)("cached keys on $name", ({ make }) => {
  let database: Database;
  let store: Store;
  let desk: Desk;
  beforeEach(async () => {
    database = await make();
    store = await database.open();
  });
  afterEach(async () => {
    await desk.close();
    await store.close();
    await database.drop();
  });

  it("a change of a key in one process is seen in another when it looks again", async () => {
    const other = await database.open();
    desk = await openDesk({ store });
    const balance = async () => (await desk.byKey("/api/compat/v1/balance")).status;
    expect(await balance()).toBe(200);
    for (const [change, status] of [
      [() => other.keys.change({ accountId: "acc", id: "key" }, { isActive: false }), 401],
      [() => other.keys.change({ accountId: "acc", id: "key" }, { isActive: true }), 200],
      [() => other.accounts.change("acc", { isActive: false }), 401],
      [() => other.accounts.change("acc", { isActive: true }), 200],
      [() => other.keys.revoke({ accountId: "acc", id: "key" }, 1), 401],
    ] as const) {
      await change();
      desk.pass(250);
      expect(await balance()).toBe(status);
    }
    await other.close();
  });

  it("a process looks again when its clock was set back", async () => {
    desk = await openDesk({ store });
    await desk.byKey("/api/compat/v1/balance");
    await store.keys.change({ accountId: "acc", id: "key" }, { isActive: false });
    desk.pass(-3_600_000);
    expect((await desk.byKey("/api/compat/v1/balance")).status).toBe(401);
  });

  it("a key that changed while it was being read is not cached", async () => {
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
    desk = await openDesk({ store: slow });
    meanwhile = async () => {
      meanwhile = undefined;
      await store.keys.change({ accountId: "acc", id: "key" }, { isActive: false });
      desk.pass(250);
      await desk.send("GET", "/api/compat/v1/balance", { headers: { "x-api-key": "another" } });
    };
    expect((await desk.byKey("/api/compat/v1/balance")).status).toBe(200);
    expect((await desk.byKey("/api/compat/v1/balance")).status).toBe(401);
  });
});
