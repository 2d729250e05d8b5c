import { type Reservation, type Store, type StoreLog, windowsOf } from "@manifold-gateway/store";
import { expect, it } from "vitest";
import { elsewhere, makeCaller, makeReservation, NOW, priced } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

const ROUTE = { provider: "near", entry: "e1" };

export const late: Context = (database) => {
  const store = useStore(database);

  /** A store that is taken for dead while `reservation` is under way, and goes on. */
  const recovered = async (
    reservation: Reservation,
    work: (slow: Store, lines: unknown[]) => Promise<void>,
    checkpoint?: number,
  ) => {
    const lines: unknown[] = [];
    const log: StoreLog = { warn: (...line) => void lines.push(line) };
    const slow = await database().open({ log, owner: elsewhere() });
    await slow.money.reserve(reservation);
    if (checkpoint !== undefined)
      await slow.money.checkpoint(reservation.generation.id, { output: checkpoint });
    await store().money.recover(Date.now() + 60_000);
    await work(slow, lines);
    await slow.close();
  };

  it.each([
    ["nothing", undefined, [["charge", -7]]],
    [
      "less",
      4,
      [
        ["charge", -4],
        ["correction", -3],
      ],
    ],
    ["as much", 7, [["charge", -7]]],
    [
      "more",
      9,
      [
        ["charge", -9],
        ["correction", 2],
      ],
    ],
  ] as const)(
    "a late end charges its whole cost, where recovery charged %s",
    async (_, checkpoint, movements) => {
      const caller = await makeCaller(store(), { credit: 100, caps: { daily: 50, total: 50 } });
      const reservation = priced(makeReservation(caller, 10));
      const { id } = reservation.generation;
      const { accountId } = caller;
      await recovered(
        reservation,
        async (slow, lines) => {
          const ending = { id, accountId, status: "succeeded", usage: { output: 7 }, cost: 7 } as const;
          const settle = () => slow.money.settle({ ...ending, durationMs: 40, route: ROUTE });
          expect(await settle()).toMatchObject({ outcome: "late", recoveredAt: expect.any(Number) });
          expect(await settle()).toEqual({ outcome: "repeated" });
          expect(slow.money.lateSettlements()).toBe(1);
          const fields = { generation: id, account: accountId, ...ROUTE, cost: 7 };
          expect(lines).toEqual([[expect.objectContaining(fields), "settled late"]]);
        },
        checkpoint,
      );
      expect(await store().generations.get({ id, accountId })).toMatchObject({
        status: "succeeded",
        cost: 7,
        durationMs: 40,
        usage: { output: 7 },
        route: ROUTE,
      });
      expect(await store().accounts.get(accountId)).toMatchObject({ balance: 93, held: 0 });
      const { results } = await store().ledger.list(accountId, { offset: 0, limit: 9 });
      const moved = results.filter(({ kind }) => kind !== "topup").map(({ kind, amount }) => [kind, amount]);
      expect(moved.sort()).toEqual(movements);
      const status = { limit: 50, spent: 7, remaining: 43 };
      expect(await store().money.capStatus(caller.keyId, NOW)).toEqual({ daily: status, total: status });
      expect(await store().money.audit()).toEqual([]);
    },
  );

  it("a late end gives back what recovery charged for work that came to nothing", async () => {
    const caller = await makeCaller(store(), { credit: 100, caps: { total: 50 } });
    const reservation = priced(makeReservation(caller, 10));
    const { id } = reservation.generation;
    await recovered(
      reservation,
      async (slow) => {
        const released = await slow.money.release({ id, status: "failed", durationMs: 5 });
        expect(released.outcome).toBe("late");
      },
      6,
    );
    expect(await store().accounts.get(caller.accountId)).toMatchObject({ balance: 100, held: 0 });
    expect((await store().money.capStatus(caller.keyId, NOW)).total).toMatchObject({ spent: 0 });
    expect(await store().money.audit()).toEqual([]);
  });

  it("a late end counts in the windows that admitted the request, and may exceed later admissions", async () => {
    const caller = await makeCaller(store(), { credit: 10, caps: { daily: 10 } });
    const reservation = priced(makeReservation(caller, 10));
    await recovered(reservation, async (slow) => {
      const next = priced(makeReservation(caller, 10, { policy: "strict" }));
      expect(await store().money.reserve(next)).toEqual({ ok: true });
      await slow.money.settle({ id: reservation.generation.id, cost: 8, status: "succeeded" });
      await store().money.settle({ id: next.generation.id, cost: 10, status: "succeeded" });
    });
    expect(await store().accounts.get(caller.accountId)).toMatchObject({ balance: -8, held: 0 });
    const [row] = await database().execute(
      `SELECT spent, held FROM key_spend WHERE key_id = '${caller.keyId}' AND win = '${windowsOf(NOW).daily}'`,
    );
    expect([Number(row?.spent), Number(row?.held)]).toEqual([18, 0]);
    expect(await store().money.audit()).toEqual([]);
  });

  it("a late end does not change an end that was refunded", async () => {
    const caller = await makeCaller(store(), { credit: 100 });
    const reservation = priced(makeReservation(caller, 10));
    const { id } = reservation.generation;
    await recovered(
      reservation,
      async (slow, lines) => {
        await store().money.refund(id, 2, Date.now());
        const ended = await slow.money.settle({ id, cost: 7, status: "succeeded" });
        expect(ended).toEqual({ outcome: "refused" });
        expect([slow.money.lateSettlements(), lines]).toEqual([0, []]);
      },
      6,
    );
    expect(await store().accounts.get(caller.accountId)).toMatchObject({ balance: 96, held: 0 });
    expect(await store().money.audit()).toEqual([]);
  });

  it("a late end can be refunded up to its cost, and no further", async () => {
    const caller = await makeCaller(store(), { credit: 100 });
    const reservation = priced(makeReservation(caller, 10));
    const { id } = reservation.generation;
    await recovered(
      reservation,
      async (slow) => {
        await slow.money.settle({ id, cost: 4, status: "succeeded", usage: { output: 4 } });
      },
      9,
    );
    await expect(store().money.refund(id, 5, NOW)).rejects.toThrow("exceeds the charge of 4");
    expect(await store().money.refund(id, 4, NOW)).toBe(true);
    expect((await store().accounts.get(caller.accountId))?.balance).toBe(100);
    expect(await store().money.audit()).toEqual([]);
  });

  it("a late end comes about once, beside a simultaneous refund", async () => {
    const caller = await makeCaller(store(), { credit: 1_000 });
    const { accountId } = caller;
    const reservations = Array.from({ length: 20 }, () => priced(makeReservation(caller, 10)));
    const slow = await database().open({ owner: elsewhere() });
    for (const one of reservations) {
      await slow.money.reserve(one);
      await slow.money.checkpoint(one.generation.id, { output: 9 });
    }
    await store().money.recover(Date.now() + 60_000);
    const ends = reservations.flatMap(({ generation: { id } }) => [
      store()
        .money.refund(id, 9, NOW)
        .catch(() => false),
      slow.money.settle({ id, accountId, cost: 4, status: "succeeded" }),
    ]);
    const done = await Promise.all(ends);
    for (let at = 0; at < done.length; at += 2)
      expect(done[at + 1]).toMatchObject({ outcome: done[at] ? "refused" : "late" });
    await slow.close();
    expect(await store().money.audit()).toEqual([]);
  });
};
