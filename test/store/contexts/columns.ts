import type { Reservation, Store } from "@manifold-gateway/store";
import { afterEach, beforeEach, expect, it } from "vitest";
import { GENERATION_COLUMNS } from "../../../packages/store/src/usage/generation-columns.ts";
import { makeCaller, makeReservation, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";

/** Columns that depend on the way a generation was admitted and charged. */
const OF_WAY = ["id", "owner", "lease", "leased", "held", "batch", "checkpoint"];

const DETAILS = {
  request: { model: "swift-1" },
  route: { provider: "first", entry: "swift" },
  price: { output: 1_000_000 },
  tags: { team: "blue" },
  user: "ada",
  surface: "chatstyle",
};
const END = { cost: 3, status: "succeeded", usage: { output: 3 }, durationMs: 20 } as const;

export const columns: Context = (database) => {
  let store: Store;
  beforeEach(async () => {
    store = await database().open({ busy: 2 });
  });
  afterEach(async () => {
    expect(await store.money.audit()).toEqual([]);
    await store.close();
  });

  const rowOf = async (id: string): Promise<Record<string, unknown>> => {
    const [row] = await database().execute(`SELECT * FROM generations WHERE id = '${id}'`);
    return Object.fromEntries(Object.entries(row!).filter(([name]) => !OF_WAY.includes(name)));
  };
  const make = (caller: { accountId: string; keyId: string }, rest: object = {}): Reservation => {
    const reservation = makeReservation(caller, 10, { dispatched: true, ...rest });
    return { ...reservation, generation: { ...reservation.generation, ...DETAILS } };
  };

  it("the table of columns has the names, types and nulls of the database", async () => {
    const listed =
      database().dialect === "sqlite"
        ? `SELECT name, type, 1 - max("notnull", pk) AS nullable FROM pragma_table_info('generations')`
        : `SELECT column_name AS name, upper(data_type) AS type, (is_nullable = 'YES')::int AS nullable
          FROM information_schema.columns WHERE table_name = 'generations' AND table_schema = current_schema()`;
    const found = (await database().execute(listed)).map(({ name, type, nullable }) => {
      const plain = type === "TEXT" ? "TEXT" : "BIGINT";
      return `${name} ${plain}${Number(nullable) === 1 ? "?" : ""}`;
    });
    const described = Object.entries(GENERATION_COLUMNS).map(
      ([name, { type }]) => `${name} ${type.replace("JSON", "TEXT")}`,
    );
    expect(described.sort()).toEqual(found.sort());
  });

  it("a generation has the same record, in all columns, whether it holds for itself or draws from a lease", async () => {
    const caller = await makeCaller(store);
    const begin = async (rest: object = {}): Promise<string> => {
      const reservation = make(caller, rest);
      expect(await store.money.reserve(reservation)).toEqual({ ok: true });
      return reservation.generation.id;
    };
    const end = async (id: string) =>
      expect(await store.money.settle({ id, ...END })).toEqual({ outcome: "written" });
    const isOpen = async () => {
      await end(await begin());
      return (await database().execute("SELECT id FROM leases WHERE ending = 0")).length > 0;
    };

    const held = await begin({ durable: true });
    await end(held);
    await expect.poll(isOpen).toBe(true);
    const recorded = await begin();
    await store.money.checkpoint(recorded, { output: 1 });
    const pending = await rowOf(recorded);
    await end(recorded);
    const written = await begin();
    await end(written);

    const expected = await rowOf(held);
    expect(Object.entries(expected).filter(([, value]) => value === null)).toEqual([]);
    expect(await rowOf(recorded)).toEqual(expected);
    expect(await rowOf(written)).toEqual(expected);
    const atEnd = Object.entries(GENERATION_COLUMNS).flatMap(([name, column]) =>
      "end" in column ? [name] : [],
    );
    for (const [name, value] of Object.entries(pending))
      if (!atEnd.includes(name)) expect(value, name).toEqual(expected[name]);

    // The three ways: its hold, an update of a record that a lease had begun, and one insert with the end.
    const ways = await database().execute(`SELECT id, lease, leased FROM generations WHERE cost > 0`);
    const wayOf = (id: string) => ways.find((row) => row.id === id)!;
    expect([held, recorded, written].map((id) => Number(wayOf(id).leased))).toEqual([0, 10, 10]);
    expect([held, recorded, written].map((id) => wayOf(id).lease !== null)).toEqual([false, true, false]);

    for (const id of [held, recorded, written]) {
      const { cost, status, usage, durationMs } = END;
      expect(await store.generations.get({ id, accountId: caller.accountId })).toEqual({
        ...{ id, ...caller, modality: "text", model: "swift-1", createdAt: NOW, dispatchedAt: NOW },
        ...{ ...DETAILS, cost, status, usage, durationMs },
        ...(id === recorded && { checkpoint: { output: 1 } }),
        ...(id === held ? { held: 10, leased: 0 } : { held: 0, leased: 10 }),
      });
    }
  });
};
