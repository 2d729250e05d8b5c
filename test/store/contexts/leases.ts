import type { Store } from "@manifold-gateway/store";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { elsewhere, makeCaller, makeKey, makeReservation, NOW, priced } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

type Caller = { accountId: string; keyId?: string };

const DAY = 86_400_000;
const RICH = 1_000_000;
const AT_ONCE = Number(process.env.LEASES_AT_ONCE ?? 160);

export const leases: Context = (database) => {
  const watcher = useStore(database);
  let store: Store;
  let others: Store[];
  const open = async (settings: object = {}) => {
    const opened = await database().open({ busy: 2, ...settings });
    others.push(opened);
    return opened;
  };
  beforeEach(async () => {
    others = [];
    store = await open();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.all(others.map((one) => one.close()));
    await watcher().money.recover(Date.now() + 60_000);
    expect(await watcher().money.audit()).toEqual([]);
  });

  const rowsOf = async ({ accountId }: Caller) =>
    (
      await database().execute(
        `SELECT owner, amount, ending FROM leases WHERE account_id = '${accountId}' ORDER BY created_at, id`,
      )
    ).map(({ owner, amount, ending }) => ({ owner, amount: Number(amount), ending: Number(ending) }));
  const heldOf = async ({ accountId }: Caller) => (await store.accounts.get(accountId))!.held;
  const balanceOf = async ({ accountId }: Caller) => (await store.accounts.get(accountId))!.balance;

  /** Asks until a store has a lease; gives what was spent by then. */
  const warm = async (caller: Caller, on: Store = store, at = NOW, amount = 10): Promise<number> => {
    for (let spent = 0; ; spent += 1) {
      const open = (await rowsOf(caller)).filter(({ ending, owner }) => ending === 0 && owner === on.owner);
      if (open.length > 0) return spent;
      const reservation = makeReservation(caller, amount, { at });
      await on.money.reserve(reservation);
      await on.money.settle({ id: reservation.generation.id, cost: 1, status: "succeeded" });
    }
  };
  /** Reserves, from a lease where there is one. */
  const begin = async (caller: Caller, amount: number, on: Store = store, rest: object = {}) => {
    const reservation = priced(makeReservation(caller, amount, rest));
    expect(await on.money.reserve(reservation)).toEqual({ ok: true });
    return reservation.generation.id;
  };
  const finish = (id: string, cost: number, on: Store = store) =>
    on.money.settle({ id, cost, status: "succeeded", usage: { output: cost } });
  const get = ({ accountId }: Caller, id: string) => store.generations.get({ id, accountId });

  it("credit leases let a busy key in without a write for each request, and charge many by one movement", {
    timeout: 30_000,
  }, async () => {
    const caller = await makeCaller(store, { credit: RICH, caps: { daily: RICH, total: RICH } });
    const spent = await warm(caller);
    const { accountId } = caller;
    const movements = async () => (await store.ledger.list(accountId, { offset: 0, limit: 1 })).total;
    // A lease grows with what is asked for in about a second.
    let ids: string[] = [];
    let rounds = 0;
    const round = async () => {
      const before = await movements();
      rounds += 1;
      ids = await Promise.all(Array.from({ length: 200 }, () => begin(caller, 10)));
      const ended = await Promise.all(ids.map((id) => finish(id, 3)));
      expect(ended).toEqual(ids.map(() => ({ outcome: "written" })));
      return (await movements()) - before;
    };
    await expect.poll(round, { timeout: 20_000 }).toBeLessThan(20);

    const { results } = await store.ledger.list(accountId, { offset: 0, limit: 10_000 });
    const batch = results.find(({ id }) => id.startsWith("batch:"));
    expect(batch).toMatchObject({ kind: "charge" });
    expect(batch).not.toHaveProperty("generationId");
    expect(await balanceOf(caller)).toBe(RICH - spent - rounds * 600);
    expect((await store.money.capStatus(caller.keyId, NOW)).daily?.spent).toBe(spent + rounds * 600);
    expect(await get(caller, ids[7]!)).toMatchObject({ status: "succeeded", cost: 3, usage: { output: 3 } });
    expect(await store.money.audit()).toEqual([]);
  });

  it("credit leases record live requests as pending, and give their checkpoints to recovery after a crash", async () => {
    const caller = await makeCaller(store, { credit: RICH });
    const one = await open({ owner: elsewhere() });
    const spent = await warm(caller, one);
    const [noted, unknown] = [await begin(caller, 10, one), await begin(caller, 10, one)];
    await one.money.checkpoint(noted, { output: 4 });
    await expect.poll(() => get(caller, unknown)).toMatchObject({ status: "pending" });
    expect(await get(caller, noted)).toMatchObject({ status: "pending", checkpoint: { output: 4 } });
    expect(await store.money.audit()).toEqual([]);

    expect(await store.money.recover(Date.now() + 60_000)).toEqual({ settled: 1, released: 1 });
    expect(await rowsOf(caller)).toEqual([]);
    expect([await balanceOf(caller), await heldOf(caller)]).toEqual([RICH - spent - 4, 0]);
    expect(await store.money.audit()).toEqual([]);

    // It was only slow, and more was admitted by it that nobody has heard of.
    const unheard = await begin(caller, 10, one);
    const ends = [finish(noted, 6, one), finish(unknown, 2, one), finish(unheard, 5, one)];
    expect((await Promise.all(ends)).map(({ outcome }) => outcome)).toEqual(["late", "late", "written"]);
    expect(await balanceOf(caller)).toBe(RICH - spent - 13);
    expect(one.money.lateSettlements()).toBe(2);
    expect(await store.money.audit()).toEqual([]);
  });

  it("a generation of a credit lease is found by its id from its first moment, and with its end", async () => {
    const caller = await makeCaller(store, { credit: RICH });
    await warm(caller);
    const id = await begin(caller, 10);
    expect(await get(caller, id)).toMatchObject({ status: "pending" });
    const other = await begin(caller, 10);
    expect(await store.generations.find(other)).toMatchObject({ status: "pending" });
    const short = await begin(caller, 10);
    const ends = [finish(other, 4), finish(short, 3)];
    expect(await get(caller, short)).toMatchObject({ status: "succeeded", cost: 3 });
    await Promise.all([...ends, finish(id, 1)]);
  });

  it("a credit lease charges more than was held, and leaves what others hold", async () => {
    const caller = await makeCaller(store, { credit: RICH, caps: { monthly: RICH } });
    const spent = await warm(caller);
    const amount = (await rowsOf(caller))[0]!.amount;
    const [dear, other] = [await begin(caller, 10), await begin(caller, 10)];
    await finish(dear, amount + 500);
    expect(await balanceOf(caller)).toBe(RICH - spent - amount - 500);
    expect(await heldOf(caller)).toBeGreaterThanOrEqual(10);
    expect(await store.money.audit()).toEqual([]);
    await finish(other, 1);
  });

  it("credit leases end when they are idle, with their day, and when the store is closed", async () => {
    const caller = await makeCaller(store, { credit: RICH, caps: { daily: RICH } });
    const yesterday = await warm(caller);
    const late = await begin(caller, 10);
    const today = await warm(caller, store, NOW + DAY);
    await finish(late, 7);
    expect((await store.money.capStatus(caller.keyId, NOW)).daily?.spent).toBe(yesterday + 7);
    expect((await store.money.capStatus(caller.keyId, NOW + DAY)).daily?.spent).toBe(today);
    await expect.poll(() => rowsOf(caller)).toEqual([]);
    expect(await heldOf(caller)).toBe(0);

    const one = await open();
    await warm(caller, one);
    const open_ = await begin(caller, 10, one);
    await one.close();
    expect(await heldOf(caller)).toBe(10);
    expect(await get(caller, open_)).toMatchObject({ status: "pending" });
    expect(await store.money.recover(Date.now())).toEqual({ settled: 0, released: 1 });
    expect(await heldOf(caller)).toBe(0);
  });

  it("credit leases end at once with their key, caps or account in this process, and soon in others", async () => {
    const changes = [
      (caller: Required<Caller>) =>
        store.keys.change({ accountId: caller.accountId, id: caller.keyId }, { isActive: false }),
      (caller: Required<Caller>) => store.keys.revoke({ accountId: caller.accountId, id: caller.keyId }, NOW),
      (caller: Required<Caller>) => store.accounts.change(caller.accountId, { isActive: false }),
      ({ accountId, keyId }: Required<Caller>) =>
        store.keys.change({ accountId, id: keyId }, { caps: { total: 1 } }),
    ];
    for (const change of changes) {
      const caller = await makeCaller(store, { credit: RICH });
      const other = await open();
      await warm(caller);
      await warm(caller, other);
      await change(caller);
      expect(await store.money.reserve(makeReservation(caller, 10))).toMatchObject({ ok: false });
      await expect
        .poll(() => other.money.reserve(makeReservation(caller, 10, { policy: "strict" })))
        .toMatchObject({ ok: false });
    }
  });

  it("no request is refused while leases hold unused credit, here or in another process", async () => {
    const caller = await makeCaller(store, { credit: RICH });
    const spent = (await warm(caller)) + (await warm(caller, await open()));
    expect(await heldOf(caller)).toBeGreaterThan(0);
    const all = RICH - spent;
    const options = { policy: "strict" } as const;
    expect(await store.money.reserve(makeReservation(caller, all + 1, options))).toMatchObject({
      ...{ ok: false, reason: "balance" },
    });
    await begin(caller, all, store, options);
    expect(await heldOf(caller)).toBe(all);
    // A job holds for itself, beside them.
    const payer = await makeCaller(store, { credit: RICH });
    const rest = RICH - (await warm(payer));
    const { generation, ...job } = makeReservation(payer, rest, options);
    const work = { id: generation.id, kind: "image", model: "m", at: NOW, deadline: NOW + DAY } as const;
    const begun = await store.jobs.create(
      { ...work, accountId: payer.accountId },
      { reservation: { ...job, generation } },
    );
    expect(begun).toEqual({ ok: true });
  });

  it("no lease is asked for where all of their credit would not cover a refused request", async () => {
    const caller = await makeCaller(store, { credit: RICH, caps: { total: RICH / 2 } });
    const other = await open();
    await warm(caller);
    await warm(caller, other);
    const raised = async () =>
      (await database().execute(`SELECT recall FROM accounts WHERE id = '${caller.accountId}'`))[0]!.recall;
    for (const amount of [2 * RICH, RICH / 2 + 1])
      expect(await other.money.reserve(makeReservation(caller, amount, { policy: "strict" }))).toMatchObject({
        ok: false,
      });
    // Nothing was spent yet through this key: its windows have not begun.
    const keyId = await makeKey(store, caller.accountId, { weekly: 5 });
    const fresh = makeReservation({ ...caller, keyId }, 6, { policy: "strict" });
    expect(await store.money.reserve(fresh)).toMatchObject({ ok: false, reason: "cap" });
    // A job cannot go on at an entry that is too dear.
    const { generation, ...job } = makeReservation(caller, 1, { exact: true });
    const { id } = generation;
    const { accountId } = caller;
    const lease = { owner: "one", until: NOW + DAY };
    const work = { id, accountId, kind: "image", model: "m", at: NOW, deadline: NOW + DAY, lease } as const;
    await store.jobs.create(work, { reservation: { ...job, generation } });
    const entry = { provider: "q", name: "dear", wire: "v" };
    const more = {
      price: {},
      estimate: { images: 1 },
      tries: 0,
      amount: 2 * RICH,
      policy: "strict",
    } as const;
    const moved = await store.jobs.move(
      { id, accountId, owner: "one", attempt: 1 },
      { at: NOW, entry, ...more },
    );
    expect(moved).toEqual({ ok: false, reason: "balance" });
    expect(Number(await raised())).toBe(0);
  });

  it("credit leases serve a session, and keys of one account beside each other", async () => {
    const caller = await makeCaller(store, { credit: RICH });
    const session = { accountId: caller.accountId };
    const other = { ...session, keyId: await makeKey(store, caller.accountId, { daily: RICH }) };
    let spent = 0;
    const leased = new Set<unknown>();
    for (const one of [caller, session, other]) {
      for (let n = 0; n < 50; n++) {
        const id = await begin(one, 10);
        await finish(id, 2);
        spent += 2;
      }
      const rows = await database().execute(
        `SELECT key_id FROM leases WHERE account_id = '${caller.accountId}'`,
      );
      for (const { key_id } of rows) leased.add(key_id);
    }
    expect(leased.size).toBeGreaterThan(1);
    expect(await balanceOf(caller)).toBe(RICH - spent);
    expect((await store.money.capStatus(other.keyId, NOW)).daily?.spent).toBe(100);
  });

  it("credit leases tell a first end, the same end again and a different one apart", async () => {
    const caller = await makeCaller(store, { credit: RICH });
    const spent = await warm(caller);
    const id = await begin(caller, 10);
    const ends = await Promise.all([
      finish(id, 4),
      finish(id, 4),
      finish(id, 5),
      store.money.release({ id, status: "failed" }),
    ]);
    expect(ends.map(({ outcome }) => outcome)).toEqual(["written", "repeated", "refused", "refused"]);
    expect(await finish(id, 4)).toEqual({ outcome: "repeated" });
    expect(await balanceOf(caller)).toBe(RICH - spent - 4);
    expect(await store.money.refund(id, 3, NOW)).toBe(true);
    expect(await balanceOf(caller)).toBe(RICH - spent - 1);
  });

  it("credit leases charge each request to the day it began on, at midnight under load", async () => {
    const caller = await makeCaller(store, { credit: RICH, caps: { daily: RICH } });
    const stores = [store, await open()];
    const days = [NOW, NOW + DAY];
    const spent = [0, 0];
    for (const on of stores) spent[0]! += await warm(caller, on);
    const race = async (on: Store, index: number) => {
      for (let n = 0; n < 40; n++) {
        // The clocks of processes differ a little, and so do the ends of what began before midnight.
        const day = n < 15 || (n < 25 && (n + index) % 2 === 0) ? 0 : 1;
        const id = await begin(caller, 10, on, { at: days[day] });
        if (n % 3 === index % 3) await new Promise((resolve) => setImmediate(resolve));
        expect(await finish(id, 3, on)).toEqual({ outcome: "written" });
        spent[day]! += 3;
      }
    };
    await Promise.all(stores.flatMap((on) => Array.from({ length: 6 }, (_, index) => race(on, index))));
    for (const [day, at] of days.entries())
      expect((await store.money.capStatus(caller.keyId, at)).daily?.spent).toBe(spent[day]);
    expect(await balanceOf(caller)).toBe(RICH - spent[0]! - spent[1]!);
    expect(await store.money.audit()).toEqual([]);
  });

  it("credit leases are not trusted after a jump of the clock, nor after a long standstill", async () => {
    const caller = await makeCaller(store, { credit: RICH });
    await warm(caller);
    const { now } = Date;
    for (const jump of [DAY, -DAY]) {
      vi.spyOn(Date, "now").mockImplementation(() => now() + jump);
      const id = await begin(caller, 10);
      // It holds for itself: its record is there at once.
      expect(await get(caller, id)).toMatchObject({ status: "pending" });
      vi.restoreAllMocks();
      await finish(id, 1);
    }
    const { now: steady } = performance;
    vi.spyOn(performance, "now").mockImplementation(() => steady.call(performance) + 60_000);
    const id = await begin(caller, 10);
    expect(await get(caller, id)).toMatchObject({ status: "pending" });
    vi.restoreAllMocks();
    await finish(id, 1);
  });

  it.each(["strict", "threshold"] as const)(
    "credit leases under %s let in what fits one cap or balance, at once",
    async (policy) => {
      const amount = 7;
      const limit = AT_ONCE * amount * 0.6 + 3;
      const stores = [store, await open(), await open()];
      for (const bound of [{ caps: { total: limit } }, { credit: limit }]) {
        const caller = await makeCaller(store, bound);
        let admitted = 0;
        const race = async (on: Store) => {
          for (let n = 0; n < AT_ONCE / stores.length / 10; n++) {
            const reservation = makeReservation(caller, amount, { policy });
            const { id } = reservation.generation;
            if (!(await on.money.reserve(reservation)).ok) continue;
            admitted += 1;
            expect(await on.money.settle({ id, cost: amount, status: "succeeded" })).toEqual({
              outcome: "written",
            });
          }
        };
        await Promise.all(stores.flatMap((on) => Array.from({ length: 10 }, () => race(on))));
        for (const on of stores)
          while ((await on.money.reserve(makeReservation(caller, amount, { policy }))).ok) {
            admitted += 1;
            expect(admitted).toBeLessThan(AT_ONCE);
          }
        expect(admitted).toBe(Math[policy === "strict" ? "floor" : "ceil"](limit / amount));
      }
      expect(await store.money.audit()).toEqual([]);
    },
  );
};
