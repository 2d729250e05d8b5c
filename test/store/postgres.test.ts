import { openPostgres, type Store, StoreUnavailable } from "@manifold-gateway/store";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Query, Work } from "../../packages/store/src/engine/engine.ts";
import { createPostgresEngine } from "../../packages/store/src/engine/postgres.ts";
import type { Database } from "./databases/database.ts";
import { openers } from "./databases/open.ts";
import { copyPostgres, makePostgres } from "./databases/postgres.ts";
import { openWay, type Way } from "./databases/way.ts";
import { makeCaller, makeReservation } from "./fixtures.ts";
import { storeSuite } from "./suite.ts";

/** For how long the database is away at least, in ms. The long run is `60000`. */
const AWAY_MS = Number(process.env.STORE_AWAY_MS ?? 0);

interface Outage {
  begin(): Promise<void>;
  end(): Promise<void>;
}

storeSuite("postgres", copyPostgres, makePostgres);

describe("the Postgres store", () => {
  let database: Database;
  let store: Store;
  beforeAll(async () => {
    database = await copyPostgres();
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

  it("a hold that is refused for its balance locks no window before its account", async () => {
    const caller = await makeCaller(store, { credit: 10, caps: { total: 1_000 } });
    const first = makeReservation(caller, 1, { policy: "strict" });
    await store.money.reserve(first);
    await store.money.settle({ id: first.generation.id, cost: 1, status: "succeeded" });
    const windows = `FROM key_spend WHERE key_id = '${caller.keyId}'`;
    // What an end locks first, and one of the windows.
    await database.execute(`BEGIN; SELECT 1 FROM accounts WHERE id = '${caller.accountId}' FOR NO KEY UPDATE;
      SELECT 1 ${windows} AND kind = 'weekly' FOR NO KEY UPDATE`);
    const refused = store.money.reserve(makeReservation(caller, 100, { policy: "strict" }));
    try {
      const waits = `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE NOT granted AND application_name = current_setting('application_name')`;
      await expect.poll(() => database.execute(waits)).toHaveLength(1);
      await database.execute(`SELECT 1 ${windows} FOR NO KEY UPDATE NOWAIT`);
    } finally {
      await database.execute("ROLLBACK");
    }
    expect(await refused).toMatchObject({ ok: false, reason: "balance" });
    expect(await store.money.audit()).toEqual([]);
  });

  /** A server that answers every change with an error, as one does that has no room left. */
  const failing = (code: string): Outage => ({
    async begin() {
      await database.execute(`CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'for now' USING ERRCODE = '${code}'; END $$`);
      await database.execute(
        "CREATE TRIGGER failing BEFORE UPDATE ON accounts FOR EACH STATEMENT EXECUTE FUNCTION fail()",
      );
    },
    end: async () => void (await database.execute("DROP TRIGGER failing ON accounts")),
  });

  it.each<[string, (way: Way) => Outage]>([
    ["is away", (way) => ({ begin: () => way.cut(), end: () => way.mend() })],
    ["has a full disk", () => failing("53100")],
  ])(
    "ends under a lease wait for a database that %s under load, each to be charged once",
    {
      timeout: 60_000 + 2 * AWAY_MS,
    },
    async (_, outageOf) => {
      const way = await openWay(database.location);
      const outage = outageOf(way);
      const away = await openers.postgres(way.url, { busy: 2 });
      const caller = await makeCaller(store, { credit: 1_000_000, caps: { total: 1_000_000 } });
      const costs = new Map<string, number>();
      const told = { written: 0, owed: 0, refused: 0 };
      let isOver = false;
      const toil = async () => {
        for (let cost = 1; !isOver; cost = (cost % 7) + 1) {
          const reservation = makeReservation(caller, 10);
          const { id } = reservation.generation;
          try {
            await away.money.reserve(reservation);
          } catch (error) {
            expect(error).toBeInstanceOf(StoreUnavailable);
            told.refused += 1;
            continue;
          }
          costs.set(id, cost);
          try {
            await away.money.settle({ id, accountId: caller.accountId, cost, status: "succeeded" });
            told.written += 1;
          } catch (error) {
            expect(error).toBeInstanceOf(StoreUnavailable);
            told.owed += 1;
          }
        }
      };
      const toils = Array.from({ length: 8 }, toil);
      const leased = async () => Number((await database.execute("SELECT count(*) AS n FROM leases"))[0]!.n);
      const patience = { timeout: 20_000 + AWAY_MS };
      await expect.poll(leased, patience).toBeGreaterThan(0);
      await outage.begin();
      const cutAt = Date.now();
      await expect.poll(() => told.owed > 0 && told.refused > 0, patience).toBe(true);
      await expect.poll(() => Date.now() - cutAt, patience).toBeGreaterThanOrEqual(AWAY_MS);
      await outage.end();
      const before = told.written;
      await expect.poll(() => told.written, patience).toBeGreaterThan(before + 20);
      isOver = true;
      await Promise.all(toils);
      await away.money.heartbeat(Date.now());
      await away.close();

      // A hold whose answer was lost has no end: it goes free.
      await store.money.recover(Date.now());
      const spent = [...costs.values()].reduce((sum, cost) => sum + cost, 0);
      const { balance, held } = (await store.accounts.get(caller.accountId))!;
      expect({ spent: 1_000_000 - balance, held }).toEqual({ spent, held: 0 });
      for (const [id, cost] of costs)
        expect((await store.generations.get({ id, ...caller }))?.cost).toBe(cost);
      expect(await store.money.audit()).toEqual([]);
      await way.cut();
      if (AWAY_MS > 0) console.log(told);
    },
  );

  it("the store repeats work that the database could not serialize", async () => {
    const location = new URL(database.location);
    location.searchParams.set("options", "-c default_transaction_isolation=serializable");
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

  it.each<[string, (add: Query, fail: Query) => Work<unknown>]>([
    [
      "the last of its work",
      function* (add, fail) {
        yield add;
        yield fail;
      },
    ],
    [
      "followed by others",
      function* (add, fail) {
        yield fail;
        yield add;
      },
    ],
    [
      "one of several at one time",
      function* (add, fail) {
        yield [add, fail, add];
      },
    ],
  ])("a statement that fails unasked, %s, is told, and nothing of the work stays", async (_, work) => {
    const engine = createPostgresEngine({ url: database.location });
    const add = { sql: "INSERT INTO revisions (subject, value) VALUES ('unasked', 1)", parameters: [] };
    const fail = { sql: "SELECT 1 / 0", parameters: [], isUnread: true };
    await expect(engine.write(() => work(add, fail))).rejects.toThrow("division by zero");
    expect(await database.execute("SELECT * FROM revisions WHERE subject = 'unasked'")).toEqual([]);
    await engine.close();
  });

  it("an account whose row others have locked stops no other account", async () => {
    const callers = await Promise.all(Array.from({ length: 6 }, () => makeCaller(store)));
    const locking = new pg.Client({ connectionString: database.location });
    await locking.connect();
    const request = async (caller: (typeof callers)[number], cost: number) => {
      const reservation = makeReservation(caller, cost);
      const { id, accountId } = reservation.generation;
      expect(await store.money.reserve(reservation)).toEqual({ ok: true });
      return store.money.settle({ id, accountId, status: "succeeded", cost });
    };
    await locking.query("BEGIN");
    await locking.query("SELECT id FROM accounts WHERE id = $1 FOR UPDATE", [callers[0]!.accountId]);
    let isLocked = true;
    const locked = request(callers[0]!, 5).then((ended) => ({ ended, isLocked }));
    for (let turn = 0; turn < 5; turn++)
      for (const ended of await Promise.all(callers.slice(1).map((caller) => request(caller, 1))))
        expect(ended).toEqual({ outcome: "written" });
    isLocked = false;
    await locking.query("COMMIT");
    await locking.end();
    expect(await locked).toEqual({ ended: { outcome: "written" }, isLocked: false });
    expect(await store.money.audit()).toEqual([]);
  });

  it("the store says that it is unavailable where a server has no room, memory or files, or is a replica", async () => {
    const engine = createPostgresEngine({ url: database.location });
    const written = ["53100", "53200", "58030", "25006"].map((code) =>
      engine.write(function* () {
        yield { sql: `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`, parameters: [] };
      }),
    );
    for (const one of await Promise.allSettled(written))
      expect((one as PromiseRejectedResult).reason).toBeInstanceOf(StoreUnavailable);
    await engine.close();
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
