import { randomBytes } from "node:crypto";
import type { Store } from "@manifold-gateway/store";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine, Work } from "../../../packages/store/src/engine/engine.ts";
import { monthAfter, monthOf, startOf } from "../../../packages/store/src/engine/month.ts";
import { createPostgresEngine } from "../../../packages/store/src/engine/postgres.ts";
import { createPartitions, type PartitionWorks } from "../../../packages/store/src/partitions/partitions.ts";
import { setting } from "../../system/money/places.ts";
import type { Database } from "../databases/database.ts";
import { countLocks } from "../databases/locks.ts";
import { makePostgres } from "../databases/postgres.ts";
import { elsewhere, makeCaller, makeReservation, NOW } from "../fixtures.ts";

const DAY = 86_400_000;
const THIS = monthOf(NOW);

describe("partitions by month", () => {
  let database: Database;
  let store: Store;
  let caller: { accountId: string; keyId: string };
  beforeEach(async () => {
    database = await makePostgres();
    store = await database.open({ owner: elsewhere() });
    caller = await makeCaller(store);
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  /** A request that arrived at a time and cost something; resolves to its id. */
  const request = async (at: number, one: Store = store, cost = 5): Promise<string> => {
    const id = at.toString(16).padStart(12, "0") + randomBytes(10).toString("hex");
    const made = makeReservation(caller, 5, { at });
    expect(await one.money.reserve({ ...made, generation: { ...made.generation, id } })).toEqual({
      ok: true,
    });
    const ending = { id, accountId: caller.accountId, cost, status: "succeeded", durationMs: 9 } as const;
    expect(await one.money.settle(ending)).toEqual({ outcome: "written" });
    return id;
  };
  /** The partitions that have rows of a table, with their number. */
  const rowsOf = async (table: string, where = "TRUE"): Promise<Record<string, number>> => {
    const rows = await database.execute(
      `SELECT tableoid::regclass::text AS name, count(*)::int AS count FROM ${table} WHERE ${where} GROUP BY 1`,
    );
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  };
  const tables = async (): Promise<string[]> =>
    (
      await database.execute(`SELECT relname AS name FROM pg_class
      WHERE relkind = 'r' AND relispartition AND relnamespace = current_schema()::regnamespace`)
    )
      .map(({ name }) => String(name))
      .sort();
  /** The partitions as another process sees them, which takes every table for a large one. */
  const withLarge = async (work: (partitions: PartitionWorks, log: string[]) => Promise<void>) => {
    const engine = createPostgresEngine({ url: database.location });
    const log: string[] = [];
    const partitions = createPartitions(
      engine,
      { info() {}, warn: (_: object, text: string) => log.push(text) } as never,
      { small: -1 },
    );
    await work(partitions, log).finally(() => engine.close());
  };

  it("a new database is divided from this month on, and each row lies in the partition of its month", async () => {
    await request(NOW - 40 * DAY);
    await store.partitions.keep(NOW);
    await store.partitions.keep(NOW);
    const busy = await database.open({ owner: elsewhere(), busy: 2 });
    for (let turn = 0; turn < 8; turn++) await Promise.all([0, 1, 2].map((n) => request(NOW + n, busy)));
    await request(NOW + 20 * DAY);
    // No partition was made for it.
    await request(NOW + 60 * DAY);
    await busy.close();
    expect(await rowsOf("generations")).toEqual({
      generations_rest: 1,
      generations_2026_11: 24,
      generations_2026_12: 1,
      generations_from_2026_11_rest: 1,
    });
    const charges = await rowsOf("transfers", "kind = 'charge'");
    expect(charges).toMatchObject({ transfers_rest: 1, charges_2026_12: 1, charges_from_2026_11_rest: 1 });
    expect(charges.batches_2026_11).toBeGreaterThan(0);
    expect(await rowsOf("transfers", "kind <> 'charge'")).toEqual({ transfers_rest: 1 });
    expect(await store.money.audit()).toEqual([]);
  });

  it("rows are found, moved and counted wherever partitions were made meanwhile", async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("keep" as const), days: fc.integer({ min: 0, max: 150 }) }),
      fc.record({ do: fc.constant("request" as const), days: fc.integer({ min: -70, max: 200 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        for (const one of steps)
          if (one.do === "keep") await store.partitions.keep(NOW + one.days * DAY);
          else {
            const id = await request(NOW + one.days * DAY);
            expect(await store.generations.find(id)).toMatchObject({ id, cost: 5 });
            expect((await store.ledger.of({ id, ...caller })).map((movement) => movement.id)).toEqual([
              `charge:${id}`,
            ]);
          }
        const { total } = await store.generations.list(
          { accountId: caller.accountId },
          { offset: 0, limit: 1 },
        );
        const spent = 1_000_000 - (await store.accounts.get(caller.accountId))!.balance;
        expect(spent).toBe(5 * total);
        expect(await store.money.audit()).toEqual([]);
        const made = await tables();
        for (const [name, count] of Object.entries(await rowsOf("generations")))
          for (const row of await database.execute(`SELECT id FROM ${name} LIMIT ${count}`)) {
            const month = monthOf(Number.parseInt(String(row.id).slice(0, 12), 16)).replace("-", "_");
            if (made.includes(`generations_${month}`)) expect(name).toBe(`generations_${month}`);
            else expect(name).toMatch(/_rest$/);
          }
      }),
      { numRuns: setting("PARTITIONS", 4) },
    );
  });

  it("a row whose table is divided while it is on its way goes to its new partition", async () => {
    const engine = createPostgresEngine({ url: database.location });
    const insert = (note: string) => ({ sql: `INSERT INTO notes VALUES (1, '${note}')`, parameters: [] });
    await database.execute(`
      CREATE TABLE notes (at bigint, note text) PARTITION BY RANGE (at);
      CREATE TABLE notes_rest PARTITION OF notes DEFAULT`);
    await database.execute(`
      BEGIN;
      CREATE TABLE notes_one (LIKE notes);
      ALTER TABLE notes ATTACH PARTITION notes_one FOR VALUES FROM (1) TO (2)`);
    const ways = [undefined, { account: "one" }, { separate: true }] as const;
    const writes = ways.map((options, at) =>
      engine.write(function* (): Work<void> {
        yield insert(`${at}`);
      }, options),
    );
    const waiting = () => countLocks(database, "NOT granted AND relation = 'notes_rest'::regclass");
    await expect.poll(waiting).toBe(writes.length);
    await database.execute("COMMIT");
    await Promise.all(writes);
    expect(await database.execute("SELECT note FROM notes_one ORDER BY note")).toEqual(
      ways.map((_, at) => ({ note: `${at}` })),
    );
    await engine.close();
  });

  it("a large table is divided beside requests, and each step may be the last of a process", async () => {
    const before = await request(NOW);
    const engine = createPostgresEngine({ url: database.location });
    let left = 0;
    /** Stops like a process that is killed, before one of its changes. */
    const dying: Engine = {
      ...engine,
      write: async (work, options) => {
        if (left-- === 0) throw new Error("killed");
        return engine.write(work, options);
      },
    };
    const keep = () => createPartitions(dying, undefined, { small: -1 }).keep(NOW);
    for (let steps = 0; ; steps++) {
      left = steps;
      const end = await keep().then(
        () => "kept",
        (error: Error) => error.message,
      );
      await request(NOW + steps);
      if (end === "kept") break;
      expect(end).toBe("killed");
    }
    await engine.close();
    // A table that has rows of today ends with the next month but one, at the latest.
    const first = monthAfter(monthOf(NOW + 14 * DAY));
    const constraints = await database.execute(`SELECT conname FROM pg_constraint
      WHERE conname LIKE '%ends%' AND connamespace = current_schema()::regnamespace`);
    expect(constraints).toEqual([]);
    await store.partitions.keep(startOf(first));
    const after = await request(startOf(first));
    expect(await store.generations.find(before)).toMatchObject({ id: before });
    const { [`generations_${first.replace("-", "_")}`]: count } = await rowsOf("generations");
    expect(count).toBe(1);
    expect(await store.generations.find(after)).toMatchObject({ id: after });
    expect(await store.money.audit()).toEqual([]);
  });

  it("a division that was begun and not ended is taken back before its month", async () => {
    await withLarge(async ({ keep, open }) => {
      await database.execute(
        "ALTER TABLE generations_rest ADD CONSTRAINT generations_ends_2026_12 CHECK (id < '01a22ee6b000' OR id >= '1') NOT VALID",
      );
      const late = startOf("2026-12") - DAY;
      await open(late);
      await request(startOf("2026-12"));
      await keep(late);
    });
    expect(await tables()).toContain("generations_from_2027_01_rest");
    expect(await store.money.audit()).toEqual([]);
  });

  it("a table with ids of coming months stays undivided, and says so once", async () => {
    const id = await request(NOW + 400 * DAY);
    await withLarge(async ({ keep }, log) => {
      await keep(NOW);
      await keep(NOW);
      expect(log.filter((line) => line === "table not divided by month")).toHaveLength(2);
    });
    await request(NOW + 90 * DAY);
    expect(await rowsOf("generations")).toEqual({ generations_rest: 2 });
    expect(await store.generations.find(id)).toMatchObject({ id });
    expect(await store.money.audit()).toEqual([]);
  });

  it("processes that keep partitions at the same moment make each once", async () => {
    const stores = await Promise.all([0, 1, 2].map(() => database.open()));
    await Promise.all(stores.map(({ partitions }) => partitions.keep(NOW)));
    await Promise.all(stores.map((one) => one.close()));
    await store.partitions.keep(NOW);
    const months = (await tables()).filter((name) => /^generations_\d/.test(name));
    expect(months).toEqual(["generations_2026_11", "generations_2026_12"]);
  });

  it("the ledger stays as it was written in every partition", async () => {
    await store.partitions.keep(NOW);
    const id = await request(NOW);
    expect(await rowsOf("transfers", `generation_id = '${id}'`)).toEqual({ charges_2026_11: 1 });
    for (const table of ["transfers", "charges_from_2026_11", "charges_2026_11"])
      for (const statement of [`UPDATE ${table} SET amount = 6`, `DELETE FROM ${table}`])
        await expect(database.execute(statement), statement).rejects.toThrow("append-only");
    for (const table of ["transfers", "transfers_rest", "charges_2026_11", "batches_from_2026_11_rest"])
      await expect(database.execute(`TRUNCATE ${table}`), table).rejects.toThrow("append-only");
  });

  it("contents of whole months that have expired are dropped with their partition", async () => {
    await store.partitions.keep(NOW - 60 * DAY);
    await store.partitions.keep(NOW);
    const days = [60, 35, 2].map((ago) => NOW - ago * DAY);
    for (const at of days)
      await store.money.reserve({
        ...makeReservation(caller, 1, { at }),
        generation: { ...makeReservation(caller, 1).generation, request: { messages: [String(at)] } },
      });
    await store.contents.sweep(NOW - 60 * DAY);
    expect(Object.keys(await rowsOf("contents")).sort()).toEqual([
      "contents_2026_09",
      "contents_2026_10",
      "contents_2026_11",
    ]);
    const freed = await store.contents.sweep(NOW);
    expect(freed).toBeGreaterThan(0);
    expect(await rowsOf("contents")).toEqual({ contents_2026_11: 1 });
    const left = (await tables()).filter((name) => name.startsWith("contents_2"));
    expect(left).toEqual(["contents_2026_10", "contents_2026_11", "contents_2026_12"]);
    expect(await database.execute("SELECT DISTINCT day::int AS day FROM contents_kept")).toHaveLength(1);
  });

  it("partitions of a month are dropped together, and none stays locked while another is waited for", async () => {
    await store.partitions.keep(NOW);
    const engine = createPostgresEngine({ url: database.location });
    const partitions = createPartitions(engine, undefined);
    const locks = (where: string) => countLocks(database, `mode = 'AccessExclusiveLock' AND ${where}`);
    // A query that takes long.
    await database.execute("BEGIN; SELECT count(*) FROM charges_2026_12");
    const dropped = engine.write(() => partitions.drop(["generations", "charges"], "2026-12"), {
      isUnlimited: true,
    });
    await expect.poll(() => locks("NOT granted")).toBe(1);
    await expect.poll(() => locks("relation = 'generations_2026_12'::regclass")).toBe(0);
    await database.execute("COMMIT");
    expect(await dropped).toBe(true);
    expect((await tables()).filter((name) => /^(generations|charges)_2026_12/.test(name))).toEqual([]);
    await engine.close();
  });

  it("statements by an id read the partition of its month only", async () => {
    await store.partitions.keep(NOW);
    const busy = await database.open({ busy: 2 });
    for (const one of [store, busy]) {
      await Promise.all([0, 1, 2, 3].map((n) => request(NOW + 20 * DAY + n, one)));
      const id = await request(NOW + 20 * DAY, one);
      await one.generations.get({ id, ...caller });
      await one.ledger.of({ id, ...caller });
      await one.money.refund(id, 1, NOW);
    }
    await busy.close();
    await store.close();
    const scans = async (month: string) => {
      const rows = await database.execute(`SELECT indexrelname AS name, idx_scan::int AS count
        FROM pg_stat_user_indexes
        WHERE schemaname = current_schema() AND indexrelname ~ '^(generations|charges|batches)_${month}_pkey'`);
      return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]));
    };
    const next = async () => (await scans("2026_12")).generations_2026_12_pkey;
    await expect.poll(next).toBeGreaterThan(9);
    expect(await scans(THIS.replace("-", "_"))).toEqual({
      ...{ generations_2026_11_pkey: 0, charges_2026_11_pkey: 0, batches_2026_11_pkey: 0 },
    });
    store = await database.open();
  });
});
