import type { Movement } from "@manifold-gateway/store";
import { expect, it } from "vitest";
import { makeCaller, makeReservation, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

export const ledger: Context = (database) => {
  const store = useStore(database);

  it("the ledger lists the movements of one account, newest first, by their effect on it", async () => {
    const caller = await makeCaller(store(), { credit: 100 });
    await makeCaller(store(), { credit: 55 });
    const { generation, ...rest } = makeReservation(caller, 10);
    await store().money.reserve({ generation, ...rest, at: NOW + 1 });
    await store().money.settle({ id: generation.id, cost: 7, status: "succeeded", durationMs: 5 });
    await store().money.refund(generation.id, 2, NOW + 9);
    const { results, total } = await store().ledger.list(caller.accountId, { offset: 0, limit: 10 });
    expect(results.map(({ kind, amount, generationId }) => [kind, amount, generationId])).toEqual([
      ["refund", 2, generation.id],
      ["charge", -7, generation.id],
      ["topup", 100, undefined],
    ]);
    expect(total).toBe(3);
    const balance = results.reduce((sum, { amount }) => sum + amount, 0);
    expect((await store().accounts.get(caller.accountId))?.balance).toBe(balance);
    const page = await store().ledger.list(caller.accountId, { offset: 1, limit: 1 });
    expect(page).toEqual({ results: [results[1]], total: 3 });
  });

  it("a movement of the ledger is found by its id, for the account that it moved", async () => {
    const caller = await makeCaller(store(), { credit: 100 });
    const other = await makeCaller(store(), { credit: 55 });
    const { results } = await store().ledger.list(caller.accountId, { offset: 0, limit: 1 });
    const [{ id, balance, ...movement }] = results as [Movement];
    expect(balance).toBe(100);
    expect(await store().ledger.get({ id, accountId: caller.accountId })).toEqual({ id, ...movement });
    expect(await store().ledger.get({ id, accountId: other.accountId })).toBeUndefined();
    expect(await store().ledger.get({ id: "none", accountId: caller.accountId })).toBeUndefined();
  });

  it("the days of the books add up to the totals, each with what moved on it", async () => {
    const DAY = 86_400_000;
    const far = NOW - (NOW % DAY) + 5_000 * DAY;
    const caller = await makeCaller(store(), { credit: 100 });
    const { generation, ...rest } = makeReservation(caller, 10);
    await store().money.reserve({ generation, ...rest, at: NOW });
    await store().money.settle({ id: generation.id, cost: 7, status: "succeeded", durationMs: 5 });
    await store().money.refund(generation.id, 2, far + 1);
    expect(await store().ledger.days(far)).toEqual([{ at: far, credited: 0, charged: 0, refunded: 2 }]);
    const days = await store().ledger.days(0);
    const { credited, charged, refunded } = await store().ledger.totals();
    const sum = (of: "credited" | "charged" | "refunded") => days.reduce((total, day) => total + day[of], 0);
    expect([sum("credited"), sum("charged"), sum("refunded")]).toEqual([credited, charged, refunded]);
    const times = days.map(({ at }) => at);
    expect(times).toEqual([...new Set(times)].sort((a, b) => b - a));
    expect(times.every((at) => at % DAY === 0)).toBe(true);
  });
};
