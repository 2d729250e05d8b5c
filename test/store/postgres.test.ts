import { openPostgres, type Store, StoreUnavailable } from "@manifold/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "./databases/database.ts";
import { makePostgres } from "./databases/postgres.ts";
import { makeCaller, makeReservation } from "./fixtures.ts";
import { storeSuite } from "./suite.ts";

storeSuite("postgres", makePostgres);

describe("the Postgres store", () => {
  let database: Database;
  let store: Store;
  beforeAll(async () => {
    database = await makePostgres();
    store = await database.open();
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  it("the store continues when the server ends its connections in the middle of its work", async () => {
    const caller = await makeCaller(store, { credit: 1_000 });
    let ended = 0;
    const toil = async () => {
      for (let turn = 0; turn < 40; turn++) {
        const reservation = makeReservation(caller, 1, { policy: "strict" });
        expect(await store.money.reserve(reservation)).toEqual({ ok: true });
        await store.money.settle({ id: reservation.generation.id, cost: 1, status: "succeeded" });
        if (++ended % 40 === 0)
          await database.execute(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE pid <> pg_backend_pid() AND application_name = current_setting('application_name')`,
          );
      }
    };
    await Promise.all(Array.from({ length: 4 }, toil));
    await store.money.recall(caller.accountId);
    expect(await store.accounts.get(caller.accountId)).toMatchObject({ balance: 1_000 - 160, held: 0 });
    expect(await store.money.audit()).toEqual([]);
  });

  it("the store repeats work that the database could not serialize", async () => {
    const location = new URL(database.location);
    const options = location.searchParams.get("options");
    location.searchParams.set("options", `${options} -c default_transaction_isolation=serializable`);
    const stores = await Promise.all([1, 2, 3].map(() => openPostgres({ url: location.href })));
    const caller = await makeCaller(store, { credit: 1_000 });
    const toil = async (one: Store) => {
      for (let turn = 0; turn < 10; turn++) {
        const reservation = makeReservation(caller, 2, { policy: "strict" });
        expect(await one.money.reserve(reservation)).toEqual({ ok: true });
        await one.money.settle({ id: reservation.generation.id, cost: 1, status: "succeeded" });
      }
    };
    await Promise.all(stores.flatMap((one) => [toil(one), toil(one)]));
    await store.money.recall(caller.accountId);
    expect(await store.accounts.get(caller.accountId)).toMatchObject({ balance: 1_000 - 60, held: 0 });
    expect(await store.money.audit()).toEqual([]);
    await Promise.all(stores.map((one) => one.close()));
  });

  it("the store says that it is unavailable where no server answers", async () => {
    const opening = openPostgres({ url: "postgres://nobody@127.0.0.1:1/none" });
    await expect(opening).rejects.toThrow(StoreUnavailable);
  });

  it("the store refuses a number that is not exact rather than rounding it", async () => {
    const caller = await makeCaller(store, { credit: 0 });
    await database.execute("ALTER TABLE accounts DROP CONSTRAINT accounts_balance_check");
    await database.execute(`UPDATE accounts SET balance = 9007199254740993 WHERE id = '${caller.accountId}'`);
    await expect(store.accounts.get(caller.accountId)).rejects.toThrow("beyond exact numbers");
  });
});
