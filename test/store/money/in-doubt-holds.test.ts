import { StoreUnavailable } from "@manifold-gateway/store";
import { expect, it } from "vitest";
import type { Engine } from "../../../packages/store/src/engine/engine.ts";
import { createPostgresEngine } from "../../../packages/store/src/engine/postgres.ts";
import { createSqliteEngine } from "../../../packages/store/src/engine/sqlite.ts";
import { createInDoubtHolds } from "../../../packages/store/src/money/in-doubt-holds.ts";
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

it("holds whose answers were lost are looked for a thousand at a time, and less often the longer they are missing", async () => {
  const database = await makeSqlite();
  const engine = createSqliteEngine({ path: database.location });
  const store = await openStore(engine);
  let looks = 0;
  const read: Engine["read"] = (work) => {
    looks += 1;
    return engine.read(work);
  };
  let released = 0;
  const release = async () => {
    released += 1;
    return { outcome: "written" } as const;
  };
  const inDoubt = createInDoubtHolds({ ...engine, read }, release, () => 0);
  const caller = await makeCaller(store, { credit: 1_000 });
  for (let n = 0; n < 2_500; n++) inDoubt.add(makeReservation(caller, 1));
  const late = makeReservation(caller, 1);
  inDoubt.add(late);
  const looked = async (at: number): Promise<number> => {
    looks = 0;
    await inDoubt.giveBack(at);
    return looks;
  };
  expect(await looked(0)).toBe(3);
  expect(await looked(4_999)).toBe(0);
  // The commit of one comes about all the same: it waited for a replica.
  await store.money.reserve({ ...late, durable: true });
  expect(await looked(5_000)).toBe(3);
  expect(released).toBe(1);
  const times: number[] = [];
  for (let at = 5_000; at <= 700_000; at += 5_000) if ((await looked(at)) > 0) times.push(at / 1_000);
  expect(times).toEqual([15, 35, 75, 135, 195, 255, 315, 375, 435, 495, 555, 600]);
  expect(released).toBe(1);
  await store.close();
  await database.drop();
});
