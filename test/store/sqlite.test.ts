import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite, type Reservation, StoreUnavailable } from "@manifold-gateway/store";
import Client from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSqliteEngine } from "../../packages/store/src/engine/sqlite.ts";
import { run } from "../../packages/store/src/engine/statement.ts";
import { openStore } from "../../packages/store/src/store.ts";
import type { Database } from "./databases/database.ts";
import { logsBegun, makeSqlite } from "./databases/sqlite.ts";
import { elsewhere, makeCaller, makeReservation, NOW } from "./fixtures.ts";
import { startChild } from "./processes.ts";
import { storeSuite } from "./suite.ts";

storeSuite("sqlite", makeSqlite);

describe("the SQLite store", () => {
  let database: Database;
  beforeAll(async () => {
    database = await makeSqlite();
  });
  afterAll(() => database.drop());

  it("the store waits for another process's lock, and is unavailable where the lock stays", async () => {
    const store = await openSqlite({ path: database.location, lockWaitMs: 1 });
    const other = new Client(database.location);
    other.exec("BEGIN IMMEDIATE");
    const writes = [store.money.heartbeat(NOW), store.money.heartbeat(NOW)];
    expect((await Promise.allSettled(writes)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(writes[0]).rejects.toThrow(StoreUnavailable);
    const patient = store.money.heartbeat(NOW);
    other.exec("COMMIT");
    await patient;
    other.close();
    await store.close();
  });

  it("separate work that does not fit on the disk fails alone", async () => {
    const full = await makeSqlite();
    await (await full.open()).close();
    const client = new Client(full.location);
    client.pragma(`max_page_count = ${Number(client.pragma("page_count", { simple: true })) + 2}`);
    const engine = createSqliteEngine({ path: full.location }, undefined, client);
    const add = (content: string) => () =>
      run({
        sql: "INSERT INTO issued_ids (hash, account_id, created_at) VALUES (?, 'acc', 1)",
        parameters: [content],
      });
    const large = engine.write(add("x".repeat(100_000)), { separate: true });
    const small = engine.write(add("small"));
    await expect(large).rejects.toThrow(StoreUnavailable);
    await small;
    await engine.close();
    expect(await full.execute("SELECT hash FROM issued_ids")).toEqual([{ hash: "small" }]);
    await full.drop();
  });

  it("writes that the database did not take are repeated at a heartbeat or at closing", async () => {
    const store = await openSqlite({ path: database.location, lockWaitMs: 1 });
    const caller = await makeCaller(store, { credit: 100 });
    const [charged, given, last] = [5, 7, 9].map((amount) => makeReservation(caller, amount)) as [
      Reservation,
      Reservation,
      Reservation,
    ];
    for (const one of [charged, given, last]) await store.money.reserve(one);
    const other = new Client(database.location);
    const whileLocked = async (...ends: (() => Promise<unknown>)[]) => {
      other.exec("BEGIN IMMEDIATE");
      for (const end of ends) await expect(end()).rejects.toThrow(StoreUnavailable);
      other.exec("COMMIT");
    };
    const settle = ({ generation: { id } }: Reservation, cost: number) =>
      store.money.settle({ id, cost, status: "succeeded" });

    // What is said last of a generation counts.
    await whileLocked(
      () => settle(charged, 4),
      () => settle(given, 6),
      () => store.money.release({ id: given.generation.id, status: "failed" }),
    );
    expect(await store.accounts.get(caller.accountId)).toMatchObject({ balance: 100, held: 21 });
    await store.money.heartbeat(NOW);
    expect(await store.accounts.get(caller.accountId)).toMatchObject({ balance: 96, held: 9 });
    await store.money.heartbeat(NOW);

    await whileLocked(() => settle(last, 3));
    await store.close();
    other.close();
    const next = await openSqlite({ path: database.location });
    expect(await next.accounts.get(caller.accountId)).toMatchObject({ balance: 93, held: 0 });
    expect(await next.money.audit()).toEqual([]);
    await next.close();
  });

  it("ends under a lease wait for the database, the last one given, and soon nothing more is admitted", {
    timeout: 20_000,
  }, async () => {
    const engine = createSqliteEngine({ path: database.location, lockWaitMs: 1 });
    const store = await openStore(engine, { busy: 2 });
    const caller = await makeCaller(store, { credit: 1_000_000 });
    const other = new Client(database.location);
    let spent = 0;
    const ask = async () => {
      const reservation = makeReservation(caller, 10);
      expect(await store.money.reserve(reservation)).toEqual({ ok: true });
      return reservation.generation.id;
    };
    const settle = (id: string, cost: number) => store.money.settle({ id, cost, status: "succeeded" });
    // A request makes its own hold where no lease is open, or where a slow machine let it go idle.
    const holds = `SELECT held - (SELECT COALESCE(SUM(amount), 0) FROM leases) AS held FROM accounts
      WHERE id = '${caller.accountId}'`;
    let drawn: string[] = [];
    do {
      for (const id of drawn) await settle(id, 1);
      spent += drawn.length;
      drawn = [await ask(), await ask(), await ask()];
    } while ((await database.execute(holds))[0]?.held !== 0);
    const [running, lessened, raised] = drawn as [string, string, string];
    const own = makeReservation(caller, 10);
    other.exec("BEGIN IMMEDIATE");
    await expect(settle(lessened, 9)).rejects.toThrow(StoreUnavailable);
    await expect(settle(raised, 2)).rejects.toThrow(StoreUnavailable);
    await expect(settle(lessened, 4)).rejects.toThrow(StoreUnavailable);
    await expect(settle(raised, 30)).rejects.toThrow(StoreUnavailable);
    // Some more are let in, until the lease has not been seen for too long.
    let more = 0;
    const asked = async () => {
      try {
        await store.money.reserve(makeReservation(caller, 10));
        return ++more;
      } catch (error) {
        return error;
      }
    };
    await expect.poll(asked).toBeInstanceOf(StoreUnavailable);
    other.exec("COMMIT");
    other.close();

    // Nobody asks again: the database takes them as soon as it can.
    const costOf = async (id: string) => (await store.generations.get({ id, ...caller }))?.cost;
    await expect.poll(() => costOf(raised)).toBe(30);
    expect(await costOf(lessened)).toBe(4);
    const same = { ...own, generation: { ...own.generation, id: running } };
    expect(await store.money.reserve(same)).toEqual({ ok: true });
    expect(await settle(running, 5)).toEqual({ outcome: "written" });
    expect((await store.accounts.get(caller.accountId))?.balance).toBe(1_000_000 - spent - 39);
    await store.close();
    const next = await openSqlite({ path: database.location });
    expect(await next.money.audit()).toEqual([]);
    expect((await next.accounts.get(caller.accountId))?.held).toBe(10 * more);
    expect(await next.money.recover(Date.now())).toEqual({ settled: 0, released: more });
    expect(await next.money.audit()).toEqual([]);
    await next.close();
  });

  it("ends under a lease wait for a full disk to have room again, each to be charged once", async () => {
    const disk = await makeSqlite();
    const engine = createSqliteEngine({ path: disk.location });
    const store = await openStore(engine, { busy: 2 });
    const caller = await makeCaller(store, { credit: 1_000_000 });
    const pragma = (sql: string) =>
      engine.read(function* () {
        return Object.values((yield { sql: `PRAGMA ${sql}`, parameters: [] })[0]!)[0] as number;
      });
    const costs = new Map<string, number>();
    let [owed, refused, isOver] = [0, 0, false];
    const toil = async () => {
      for (let cost = 1; !isOver; cost = (cost % 7) + 1) {
        const reservation = makeReservation(caller, 10);
        const { id } = reservation.generation;
        let isHeld = true;
        try {
          await store.money.reserve(reservation);
        } catch {
          isHeld = false;
        }
        if (!isHeld) refused += 1;
        else {
          costs.set(id, cost);
          await store.money.settle({ id, cost, status: "succeeded" }).catch((error: unknown) => {
            expect(error).toBeInstanceOf(StoreUnavailable);
            owed += 1;
          });
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const leased = async () => (await disk.execute("SELECT id FROM leases WHERE ending = 0")).length;
    const toils = [toil(), toil(), toil(), toil()];
    await expect.poll(leased).toBeGreaterThan(0);
    await pragma(`max_page_count = ${(await pragma("page_count")) + 4}`);
    await expect.poll(() => owed > 0).toBe(true);
    await expect.poll(() => refused > 50).toBe(true);
    // Otherwise requests go out whose charge cannot be written. Few are let in after the ends that still fit.
    expect(owed).toBeLessThan(refused);
    isOver = true;
    await Promise.all(toils);
    await pragma("max_page_count = 1000000");
    await store.money.heartbeat(NOW);
    await store.close();

    const next = await disk.open();
    const spent = [...costs.values()].reduce((sum, cost) => sum + cost, 0);
    const { balance, held } = (await next.accounts.get(caller.accountId))!;
    expect({ balance, held }).toEqual({ balance: 1_000_000 - spent, held: 0 });
    expect(await next.money.audit()).toEqual([]);
    await next.close();
    await disk.drop();
  }, 30_000);

  it("charges that the database did not take are written at a heartbeat before others recover them", async () => {
    const lines: unknown[] = [];
    const log = { warn: (...line: unknown[]) => void lines.push(line) };
    const engine = createSqliteEngine({ path: database.location, lockWaitMs: 1 });
    const store = await openStore(engine, { log, owner: elsewhere() });
    const watcher = await openSqlite({ path: database.location });
    const caller = await makeCaller(store, { credit: 100 });
    const reservation = makeReservation(caller, 5);
    const { id } = reservation.generation;
    await store.money.reserve(reservation);
    const other = new Client(database.location);
    other.exec("BEGIN IMMEDIATE");
    await expect(store.money.settle({ id, cost: 4, status: "succeeded" })).rejects.toThrow(StoreUnavailable);
    other.exec("COMMIT");
    other.close();
    expect(await watcher.money.recover(Date.now() + 60_000)).toEqual({ settled: 0, released: 1 });
    await store.money.heartbeat(NOW);
    expect(await store.accounts.get(caller.accountId)).toMatchObject({ balance: 96, held: 0 });
    expect([store.money.lateSettlements(), lines.length]).toEqual([1, 1]);
    expect(await store.money.audit()).toEqual([]);
    await watcher.close();
    await store.close();
  });

  it("the log of the database begins anew while it is written to", async () => {
    const store = await openSqlite({ path: database.location, logPages: 2_000 });
    const caller = await makeCaller(store, { credit: 1e9 });
    const begun = () => logsBegun(database.location);
    const before = begun();
    const write = async () => {
      while (begun() < before + 3) {
        const reservation = makeReservation(caller, 3);
        await store.money.reserve(reservation);
        await store.money.settle({ id: reservation.generation.id, cost: 2, status: "succeeded" });
      }
    };
    await Promise.all([write(), write(), write()]);
    // Four times the length, and a commit would have had to see to it.
    expect(statSync(`${database.location}-wal`).size).toBeLessThan(4 * 2_000 * 4_096);
    expect(await store.money.audit()).toEqual([]);
    await store.close();
  });

  it("the process stays alive while its commits pause for the log", async () => {
    const store = await openSqlite({ path: database.location });
    const child = await startChild(database, "fill", await makeCaller(store));
    child.start();
    await child.ended();
    await store.close();
  });

  it("a store in memory keeps nothing", async () => {
    const store = await openSqlite({ path: ":memory:" });
    await store.ready();
    const caller = await makeCaller(store);
    expect(await store.money.reserve(makeReservation(caller, 1))).toEqual({ ok: true });
    await Promise.all([store.close(), store.close()]);
  });

  it.runIf(process.platform !== "win32")(
    "the database is for its owner alone, in a folder that was there before",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "manifold-modes-"));
      chmodSync(folder, 0o755);
      const path = join(folder, "store.db");
      const modes = () =>
        readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);
      const expected = ["store.db", "store.db-shm", "store.db-wal"].map((name) => [name, "600"]);
      const store = await openSqlite({ path });
      await makeCaller(store);
      expect(modes()).toEqual(expected);
      // As an earlier version left them, with another process at work.
      for (const [name] of expected) chmodSync(join(folder, name!), 0o644);
      const next = await openSqlite({ path });
      expect(modes()).toEqual(expected);
      const made = await openSqlite({ path: join(folder, "new", "store.db") });
      expect(statSync(join(folder, "new")).mode & 0o777).toBe(0o700);
      for (const one of [store, next, made]) await one.close();
      rmSync(folder, { recursive: true });
    },
  );

  it("a file that is no database is not opened", async () => {
    const { mode } = statSync(import.meta.filename);
    const opening = openSqlite({ path: import.meta.filename });
    await expect(opening).rejects.toThrow(StoreUnavailable);
    await expect(opening).rejects.toThrow(/sqlite\.test\.ts: file is not a database$/);
    expect(statSync(import.meta.filename).mode).toBe(mode);
    await expect(openSqlite({ path: "/dev/null/store.db" })).rejects.toThrow();
  });
});
