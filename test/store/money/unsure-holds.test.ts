import { StoreUnavailable } from "@manifold-gateway/store";
import { expect, it } from "vitest";
import type { Engine } from "../../../packages/store/src/engine/engine.ts";
import { createPostgresEngine } from "../../../packages/store/src/engine/postgres.ts";
import { createSqliteEngine } from "../../../packages/store/src/engine/sqlite.ts";
import { openStore } from "../../../packages/store/src/store.ts";
import { makePostgres } from "../databases/postgres.ts";
import { makeSqlite } from "../databases/sqlite.ts";
import { makeCaller, makeReservation } from "../fixtures.ts";

const DATABASES = [
  { name: "SQLite", make: makeSqlite, open: (path: string): Engine => createSqliteEngine({ path }) },
  { name: "Postgres", make: makePostgres, open: (url: string): Engine => createPostgresEngine({ url }) },
];

it.each(DATABASES)(
  "a hold on $name whose answer is lost is given back while its process lives",
  async ({ make, open }) => {
    const database = await make();
    const engine = open(database.location);
    let isLost = false;
    const store = await openStore({
      ...engine,
      async write(work, options) {
        const value = await engine.write(work, options);
        if (isLost) throw new StoreUnavailable(new Error("the answer is lost"));
        return value;
      },
    });
    const caller = await makeCaller(store, { credit: 1_000 });
    const held = async () => (await store.accounts.get(caller.accountId))?.held;
    const known = makeReservation(caller, 100);
    await store.money.reserve(known);
    isLost = true;
    const lost = makeReservation(caller, 10);
    await expect(store.money.reserve(lost)).rejects.toThrow(StoreUnavailable);
    isLost = false;
    expect(await held()).toBe(110);
    await store.money.heartbeat(Date.now());
    expect(await held()).toBe(100);
    expect(await store.generations.get({ id: lost.generation.id, ...caller })).toMatchObject({
      status: "failed",
      cost: 0,
    });
    expect(await store.money.audit()).toEqual([]);
    await store.close();
    await database.drop();
  },
);
