import { type Caps, type Reservation, type Store, StoreUnavailable } from "@manifold-gateway/store";
import { describe, expect, it } from "vitest";
import { makeCaller, makeReservation, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

const DAY = 86_400_000;

export const money: Context = (database) => {
  const store = useStore(database);

  /** Spends through one reservation; gives what the reservation said. */
  const spend = async (
    caller: { accountId: string; keyId: string },
    cost: number,
    rest?: Partial<Reservation>,
  ) => {
    const reservation = makeReservation(caller, cost, rest);
    const reserved = await store().money.reserve(reservation);
    if (reserved.ok) await store().money.settle({ id: reservation.generation.id, cost, status: "succeeded" });
    return reserved;
  };

  describe("the balance", () => {
    it.each([
      ["threshold", false, 10, 1, true],
      ["threshold", false, 10, 99, true],
      ["threshold", false, 0, 1, false],
      ["threshold", false, 0, 0, false],
      ["threshold", true, 10, 10, true],
      ["threshold", true, 10, 11, false],
      ["strict", false, 10, 10, true],
      ["strict", false, 10, 11, false],
      ["strict", false, 0, 0, false],
      ["strict", false, 1, 0, true],
    ] as const)(
      "the balance admits what the policy allows (%s, exact %s): credit %i, amount %i, admitted %s",
      async (policy, exact, credit, amount, ok) => {
        const caller = await makeCaller(store(), { credit });
        const reserved = await store().money.reserve(makeReservation(caller, amount, { policy, exact }));
        expect(reserved).toEqual(ok ? { ok } : { ok, reason: "balance", available: credit });
        expect((await store().accounts.get(caller.accountId))?.held).toBe(ok ? amount : 0);
      },
    );

    it.each(["threshold", "strict"] as const)(
      "a free request is let in under %s, whatever is left",
      async (policy) => {
        const caller = await makeCaller(store(), { credit: 0, caps: { daily: 0, total: 0 } });
        const reserve = (price: Record<string, number>, amount: number) => {
          const made = makeReservation(caller, amount, { policy });
          return store().money.reserve({ ...made, generation: { ...made.generation, price } });
        };
        expect(await reserve({}, 0)).toEqual({ ok: true });
        expect(await reserve({ input: 0, output: 0 }, 0)).toEqual({ ok: true });
        expect(await reserve({ input: 1 }, 0)).toMatchObject({ ok: false, reason: "balance" });
        expect(await reserve({}, 1)).toMatchObject({ ok: false, reason: "balance" });
        await store().accounts.credit({
          accountId: caller.accountId,
          amount: 5,
          kind: "topup",
          reference: caller.keyId,
          at: NOW,
        });
        expect(await reserve({ input: 1 }, 0)).toMatchObject({ ok: false, reason: "cap", cap: "total" });
        expect(await reserve({}, 0)).toEqual({ ok: true });
      },
    );

    it("holds reduce the available balance", async () => {
      const caller = await makeCaller(store(), { credit: 10 });
      expect(await store().money.reserve(makeReservation(caller, 10))).toEqual({ ok: true });
      const refused = await store().money.reserve(makeReservation(caller, 1));
      expect(refused).toEqual({ ok: false, reason: "balance", available: 0 });
    });
  });

  describe("caps", () => {
    it.each([
      ["threshold", 10, 0, 1, true],
      ["threshold", 10, 9, 50, true],
      ["threshold", 10, 10, 1, false],
      ["threshold", 0, 0, 1, false],
      ["strict", 10, 4, 6, true],
      ["strict", 10, 4, 7, false],
      ["strict", 10, 0, 11, false],
      ["strict", 10, 10, 0, false],
    ] as const)(
      "a cap admits what the policy allows (%s): limit %i, spent %i, amount %i, admitted %s",
      async (policy, limit, spent, amount, ok) => {
        const caller = await makeCaller(store(), { caps: { weekly: limit } });
        if (spent > 0) await spend(caller, spent);
        const reserved = await store().money.reserve(makeReservation(caller, amount, { policy }));
        const resetsAt = Date.UTC(2026, 10, 23);
        expect(reserved).toEqual(ok ? { ok } : { ok, reason: "cap", cap: "weekly", limit, resetsAt });
      },
    );

    it.each([
      [{ daily: 1, weekly: 1, monthly: 1, total: 1 }, "total"],
      [{ daily: 1, weekly: 1, monthly: 1 }, "monthly"],
      [{ daily: 1, weekly: 1, monthly: 9 }, "weekly"],
      [{ daily: 1, total: 2 }, "daily"],
    ] as const)(
      "a refusal under caps of %o names the one in the way that ends last: %s",
      async (caps: Caps, cap) => {
        const caller = await makeCaller(store(), { caps });
        await spend(caller, 1);
        expect(await spend(caller, 1)).toMatchObject({ ok: false, reason: "cap", cap, limit: 1 });
      },
    );

    it("a refusal leaves no trace in any window", async () => {
      const caller = await makeCaller(store(), { caps: { daily: 100, total: 5 } });
      await spend(caller, 5);
      const refused = makeReservation(caller, 1);
      expect((await store().money.reserve(refused)).ok).toBe(false);
      const { id } = refused.generation;
      expect(await store().generations.get({ id, accountId: caller.accountId })).toBeUndefined();
      await store().keys.change({ accountId: caller.accountId, id: caller.keyId }, { caps: { total: null } });
      expect(await spend(caller, 94)).toEqual({ ok: true });
      expect(await spend(caller, 1)).toEqual({ ok: true });
      expect(await spend(caller, 1)).toMatchObject({ cap: "daily" });
    });

    it("a new cap counts what was spent before it was set", async () => {
      const caller = await makeCaller(store());
      await spend(caller, 7);
      await store().keys.change({ accountId: caller.accountId, id: caller.keyId }, { caps: { monthly: 7 } });
      expect(await spend(caller, 1)).toMatchObject({ ok: false, cap: "monthly" });
      await store().keys.change({ accountId: caller.accountId, id: caller.keyId }, { caps: { monthly: 8 } });
      expect(await spend(caller, 1)).toEqual({ ok: true });
    });

    it("a cap begins anew with each window, and the window that admitted is charged", async () => {
      const caller = await makeCaller(store(), { caps: { daily: 10 } });
      const late = makeReservation(caller, 10, { at: Date.UTC(2026, 10, 21, 23, 59, 59, 999) });
      await store().money.reserve(late);
      expect(await spend(caller, 1)).toMatchObject({ cap: "daily", resetsAt: Date.UTC(2026, 10, 22) });
      expect(await spend(caller, 1, { at: Date.UTC(2026, 10, 22) })).toEqual({ ok: true });
      await store().money.settle({ id: late.generation.id, cost: 12, status: "succeeded" });
      const { capStatus } = store().money;
      expect(await capStatus(caller.keyId, NOW)).toEqual({ daily: { limit: 10, spent: 12, remaining: 0 } });
      expect(await capStatus(caller.keyId, NOW + DAY)).toEqual({
        daily: { limit: 10, spent: 1, remaining: 9 },
      });
    });

    it("configured caps are shown, holds not counted as spent", async () => {
      const caller = await makeCaller(store(), { caps: { daily: 10, total: 50 } });
      await spend(caller, 4);
      await store().money.reserve(makeReservation(caller, 3));
      expect(await store().money.capStatus(caller.keyId, NOW)).toEqual({
        daily: { limit: 10, spent: 4, remaining: 6 },
        total: { limit: 50, spent: 4, remaining: 46 },
      });
      const bare = await makeCaller(store());
      expect(await store().money.capStatus(bare.keyId, NOW)).toEqual({});
    });
  });

  describe("the end of a reservation", () => {
    const reserve = async (amount: number, store_: Store) => {
      const caller = await makeCaller(store_, { credit: 100 });
      const { generation, ...rest } = makeReservation(caller, amount);
      await store_.money.reserve({ generation, ...rest });
      return { ...caller, id: generation.id };
    };

    it("a reservation ends once, however many callers end it", async () => {
      const { id, accountId } = await reserve(10, store());
      const ends = await Promise.all([
        store().money.settle({ id, cost: 4, status: "succeeded" }),
        store().money.settle({ id, cost: 5, status: "succeeded" }),
        store().money.release({ id, status: "failed" }),
        store().money.settle({ id, cost: 6, status: "aborted" }),
      ]);
      const outcomes = ends.map(({ outcome }) => outcome);
      expect(outcomes.toSorted()).toEqual(["refused", "refused", "refused", "written"]);
      const cost = [4, 5, 0, 6][outcomes.indexOf("written")];
      expect(await store().generations.get({ id, accountId })).toMatchObject({ cost });
      expect(await store().accounts.get(accountId)).toMatchObject({ balance: 100 - cost!, held: 0 });
    });

    it("the same end written twice is recognised, and a different one is not", async () => {
      const { id, accountId } = await reserve(10, store());
      const ending = {
        id,
        status: "succeeded",
        durationMs: 8,
        usage: { output: 4 },
        route: { a: 1 },
      } as const;
      const settle = (more: object = {}) => store().money.settle({ ...ending, cost: 4, ...more });
      expect(await settle()).toEqual({ outcome: "written" });
      expect(await settle()).toEqual({ outcome: "repeated" });
      for (const other of [{ durationMs: 9 }, { usage: { output: 5 } }, { status: "aborted" }, { cost: 5 }])
        expect(await settle(other)).toEqual({ outcome: "refused" });
      for (const other of [{ route: { a: 2 } }, { price: { output: 1 } }])
        expect(await settle(other)).toEqual({ outcome: "refused" });
      expect(await store().accounts.get(accountId)).toMatchObject({ balance: 96, held: 0 });
    });

    it("an end charges more than was held, and more than there is, in full", async () => {
      const { id, accountId } = await reserve(10, store());
      expect(await store().money.settle({ id, cost: 130, status: "succeeded" })).toEqual({
        outcome: "written",
      });
      expect(await store().accounts.get(accountId)).toMatchObject({ balance: -30, held: 0 });
    });

    it("the end of what was never reserved does nothing", async () => {
      const refused = { outcome: "refused" };
      expect(await store().money.settle({ id: "unknown", cost: 1, status: "succeeded" })).toEqual(refused);
      expect(await store().money.release({ id: "unknown", status: "failed" })).toEqual(refused);
    });

    it("a cost that is no amount is refused and leaves the hold", async () => {
      const { id, accountId } = await reserve(10, store());
      for (const cost of [-1, 0.5, Number.NaN, 2 ** 53])
        await expect(store().money.settle({ id, cost, status: "succeeded" })).rejects.toThrow(/cost must be/);
      expect((await store().accounts.get(accountId))?.held).toBe(10);
    });

    it("an ended reservation can be refunded once, up to the charge", async () => {
      const { id, accountId } = await reserve(10, store());
      await expect(store().money.refund(id, 1, NOW)).rejects.toThrow("exceeds the charge of 0");
      await store().money.settle({ id, cost: 9, status: "succeeded" });
      await expect(store().money.refund(id, 10, NOW)).rejects.toThrow("exceeds the charge of 9");
      const refunds = await Promise.all([store().money.refund(id, 9, NOW), store().money.refund(id, 9, NOW)]);
      expect(refunds.sort()).toEqual([false, true]);
      expect((await store().accounts.get(accountId))?.balance).toBe(100);
      expect(await store().generations.get({ id, accountId })).toMatchObject({ cost: 9 });
    });
  });

  it("a repeated reservation is recognised, and a used id of another is an error", async () => {
    const caller = await makeCaller(store(), { credit: 10, caps: { daily: 10 } });
    const reservation = makeReservation(caller, 10, { exact: true });
    expect(await store().money.reserve(reservation)).toEqual({ ok: true });
    expect(await store().money.reserve(reservation)).toEqual({ ok: true });
    expect((await store().accounts.get(caller.accountId))?.held).toBe(10);
    const rich = await makeCaller(store());
    const { generation } = makeReservation(rich, 10);
    const stolen = makeReservation(rich, 10, {
      generation: { ...generation, id: reservation.generation.id },
    });
    await expect(store().money.reserve(stolen)).rejects.toThrow("is taken");
    expect((await store().accounts.get(rich.accountId))?.held).toBe(0);
  });

  it("accounts and keys that do not belong together are refused", async () => {
    const [one, other] = [await makeCaller(store()), await makeCaller(store())];
    const mixed = makeReservation({ accountId: one.accountId, keyId: other.keyId }, 1);
    await expect(store().money.reserve(mixed)).rejects.toThrow("has no key");
    const nobody = makeReservation({ accountId: "nobody" }, 1);
    await expect(store().money.reserve(nobody)).rejects.toThrow('no account "nobody"');
    expect((await store().accounts.get(one.accountId))?.held).toBe(0);
  });

  it("keys and accounts that are no longer active are refused in the same statement", async () => {
    const caller = await makeCaller(store());
    const ref = { accountId: caller.accountId, id: caller.keyId };
    const reserve = (rest: { accountId: string; keyId?: string } = caller) =>
      store().money.reserve(makeReservation(rest, 1));
    await store().keys.change(ref, { isActive: false });
    expect(await reserve()).toEqual({ ok: false, reason: "inactive" });
    expect(await reserve({ accountId: caller.accountId })).toEqual({ ok: true });
    await store().keys.change(ref, { isActive: true });
    expect(await reserve()).toEqual({ ok: true });
    await store().accounts.change(caller.accountId, { isActive: false });
    expect(await reserve()).toEqual({ ok: false, reason: "inactive" });
    expect((await store().accounts.get(caller.accountId))?.held).toBe(2);
  });

  it("the hold is noted together with the call that follows", async () => {
    const caller = await makeCaller(store());
    const { generation, ...rest } = makeReservation(caller, 1, { dispatched: true });
    await store().money.reserve({ generation, ...rest });
    const ref = { id: generation.id, accountId: caller.accountId };
    expect(await store().generations.get(ref)).toMatchObject({ status: "pending", dispatchedAt: NOW });
  });

  it("a session reserves without a key and caps", async () => {
    const { accountId } = await makeCaller(store(), { credit: 10 });
    const reservation = makeReservation({ accountId }, 10);
    await store().money.reserve(reservation);
    await store().money.settle({ id: reservation.generation.id, cost: 10, status: "succeeded" });
    expect((await store().accounts.get(accountId))?.balance).toBe(0);
  });

  it("one bad piece of work does not affect others of the same moment", async () => {
    const caller = await makeCaller(store(), { credit: 20, caps: { daily: 1_000 } });
    const poor = await makeCaller(store(), { credit: 0 });
    const results = await Promise.allSettled([
      store().money.reserve(makeReservation(caller, 10, { policy: "strict" })),
      store().money.reserve(makeReservation({ accountId: "nobody" }, 1)),
      store().money.reserve(makeReservation(poor, 1)),
      store().money.reserve(makeReservation(caller, 10, { policy: "strict" })),
      store().money.reserve(makeReservation(caller, 10, { policy: "strict" })),
    ]);
    const admitted = results.map((one) => (one.status === "fulfilled" ? one.value.ok : one.status));
    expect(admitted).toEqual([
      expect.any(Boolean),
      "rejected",
      false,
      expect.any(Boolean),
      expect.any(Boolean),
    ]);
    expect(admitted.filter((one) => one === true)).toHaveLength(2);
    expect((await store().accounts.get(caller.accountId))?.held).toBe(20);
  });

  it("a store that cannot be reached says so", async () => {
    const closed = await database().open();
    await closed.close();
    await expect(closed.money.heartbeat(NOW)).rejects.toThrow(StoreUnavailable);
  });
};
