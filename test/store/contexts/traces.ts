import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@manifold-gateway/store";
import { afterEach, beforeEach, expect, it } from "vitest";
import { elsewhere, makeCaller, makeReservation, NOW, priced } from "../fixtures.ts";
import type { Context } from "../suite.ts";

type Caller = Awaited<ReturnType<typeof makeCaller>>;

/** Calls that go out by a lease, before the database has them. */
export const traces: Context = (database) => {
  let calls: string;
  let store: Store;
  beforeEach(async () => {
    calls = mkdtempSync(join(tmpdir(), "manifold-calls-"));
    store = await database().open({ calls, alerts: { orphans: true } });
  });
  afterEach(async () => {
    await store.money.recover(Date.now() + 60_000);
    expect(await store.money.audit()).toEqual([]);
    await store.close();
    rmSync(calls, { recursive: true, force: true });
  });

  /** Has a store open a lease for a caller. */
  const warm = async (on: Store, caller: Caller): Promise<void> => {
    for (;;) {
      const open = await database().execute(`SELECT id FROM leases WHERE account_id = '${caller.accountId}'`);
      if (open.length > 0) return;
      const { generation, ...rest } = makeReservation(caller, 10, { at: NOW });
      await on.money.reserve({ generation, ...rest });
      await on.money.settle({ id: generation.id, cost: 1, status: "succeeded" });
    }
  };
  const statusesOf = async (ids: readonly string[]): Promise<unknown[]> => {
    const rows = await database().execute("SELECT id, status, cost, usage FROM generations");
    const known = new Map(rows.map(({ id, status, cost, usage }) => [id, [status, Number(cost), usage]]));
    return ids.map((id) => known.get(id));
  };
  const orphans = async (ids: readonly string[]) => {
    const rows = await database().execute("SELECT data FROM outbox WHERE type = 'generation.orphaned'");
    const told = rows.map(({ data }) => JSON.parse(String(data)).generationId as string);
    return told.filter((id) => ids.includes(id));
  };

  it("a call of a process that is taken for dead has one record and one event, and its late end is charged", async () => {
    const caller = await makeCaller(store, { credit: 1_000_000 });
    const slow = await database().open({ calls, busy: 2, owner: elsewhere() });
    await warm(slow, caller);
    const reservations = Array.from({ length: 5 }, () => priced(makeReservation(caller, 10, { at: NOW })));
    await Promise.all(reservations.map((one) => slow.money.reserve(one)));
    const ids = reservations.map(({ generation }) => generation.id);
    for (let times = 0; times < 2; times++) await store.money.recover(Date.now() + 60_000);
    const recovered = ["failed", 0, '{"recovered":true}'];
    expect(await statusesOf(ids)).toEqual(ids.map(() => recovered));
    expect((await orphans(ids)).sort()).toEqual([...ids].sort());
    expect(await store.money.audit()).toEqual([]);
    const [id = ""] = ids;
    const ending = { id, status: "succeeded", usage: { output: 7 }, cost: 7 } as const;
    expect(await slow.money.settle(ending)).toMatchObject({ outcome: "late" });
    expect(await statusesOf([id])).toEqual([["succeeded", 7, '{"output":7}']]);
    await slow.close();
  });

  it("a store that is closed leaves no trace, whatever was under way", async () => {
    const caller = await makeCaller(store, { credit: 1_000_000 });
    const one = await database().open({ calls, busy: 2 });
    await warm(one, caller);
    const reservation = priced(makeReservation(caller, 10, { at: NOW }));
    await one.money.reserve(reservation);
    const traced = () =>
      readdirSync(calls, { recursive: true }).filter((name) => String(name).endsWith(".calls"));
    expect(traced()).toHaveLength(1);
    await one.money.settle({ id: reservation.generation.id, cost: 1, status: "succeeded" });
    await one.close();
    expect(traced()).toEqual([]);
  });

  it("a request holds for itself where its call cannot be written down", async () => {
    const caller = await makeCaller(store, { credit: 1_000_000 });
    const file = join(calls, "no-folder");
    writeFileSync(file, "");
    const lines: unknown[] = [];
    const log = { warn: (_: object, line: string) => void lines.push(line) };
    const one = await database().open({ calls: file, busy: 2, log });
    await warm(one, caller);
    const reservations = Array.from({ length: 3 }, () => priced(makeReservation(caller, 10, { at: NOW })));
    await Promise.all(reservations.map((each) => one.money.reserve(each)));
    const ids = reservations.map(({ generation }) => generation.id);
    expect((await statusesOf(ids)).map((row) => (row as unknown[])[0])).toEqual(ids.map(() => "pending"));
    expect(lines).toEqual(["calls cannot be written down; requests hold for themselves"]);
    await Promise.all(ids.map((id) => one.money.release({ id, status: "failed" })));
    await one.close();
  });
};
