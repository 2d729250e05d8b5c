import { randomUUID } from "node:crypto";
import type { Store } from "@manifold-gateway/store";
import { expect, it } from "vitest";
import { makeCaller, makeReservation, NOW, priced } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

const alerts = { caps: [80, 95], balances: [1_000], jobs: true, orphans: true };
const MINUTE = 60_000;

export const outbox: Context = (database) => {
  const store = useStore(database);
  const opened = (busy = Number.POSITIVE_INFINITY): Promise<Store> => database().open({ alerts, busy });
  type Caller = { accountId: string; keyId?: string };

  const spend = async (by: Store, caller: Caller, cost: number): Promise<string> => {
    const reservation = makeReservation(caller, cost);
    const { id } = reservation.generation;
    expect(await by.money.reserve(reservation)).toEqual({ ok: true });
    await by.money.settle({ id, accountId: caller.accountId, cost, status: "succeeded" });
    return id;
  };
  const eventsOf = async ({ accountId }: Caller, type = "") => {
    const rows = await database().execute(
      `SELECT type, data FROM outbox WHERE account_id = '${accountId}' ORDER BY created_at, id`,
    );
    return rows
      .map(({ type, data }) => ({ type: String(type), ...JSON.parse(String(data)) }))
      .filter((event) => type === "" || event.type === type);
  };
  const sharesOf = async (caller: Caller, cap = "daily") =>
    (await eventsOf(caller, "key.cap_reached"))
      .filter((event) => event.cap === cap)
      .map(({ percent }) => percent)
      .sort();

  it("each share of a cap is one event in its window, with several stores and whatever else is spent", async () => {
    const [one, two] = [await opened(), await opened()];
    const caller = await makeCaller(one, { caps: { daily: 1_000, total: 100_000 } });
    await spend(one, caller, 799);
    expect(await eventsOf(caller)).toEqual([]);
    await Promise.all(Array.from({ length: 10 }, (_, n) => spend(n % 2 ? one : two, caller, 1)));
    expect(await sharesOf(caller)).toEqual([80]);
    await spend(two, caller, 150);
    const common = { apiKeyId: caller.keyId, cap: "daily", window: "2026-11-21", limit: 1_000 };
    expect((await eventsOf(caller)).sort((a, b) => a.percent - b.percent)).toMatchObject([
      { ...common, percent: 80 },
      { ...common, percent: 95, spent: 959 },
    ]);
    await spend(one, caller, 10);
    expect((await eventsOf(caller)).length).toBe(2);
    await one.close();
    await two.close();
  });

  it("a store writes the events that it was last set to, and none where it is set to none", async () => {
    const own = await database().open({ busy: Number.POSITIVE_INFINITY });
    const caller = await makeCaller(own, { credit: 10_000, caps: { daily: 1_000, total: 5_000 } });
    await spend(own, caller, 900);
    expect(await eventsOf(caller)).toEqual([]);
    own.setAlerts({ caps: [95], balances: [9_050] });
    await spend(own, caller, 60);
    expect((await eventsOf(caller)).map(({ type }) => type).sort()).toEqual([
      "account.balance_low",
      "key.cap_reached",
    ]);
    own.setAlerts({});
    await own.keys.change({ accountId: caller.accountId, id: caller.keyId }, { caps: { daily: 990 } });
    await spend(own, caller, 30);
    expect(await eventsOf(caller)).toHaveLength(2);
    await own.close();
  });

  it("a settlement that passes both shares of a cap makes both events", async () => {
    const own = await opened();
    const caller = await makeCaller(own, { caps: { daily: 100, monthly: 10_000 } });
    await spend(own, caller, 100);
    expect(await sharesOf(caller)).toEqual([80, 95]);
    expect(await sharesOf(caller, "monthly")).toEqual([]);
    await own.close();
  });

  it("caps and balances are watched where requests are let in from leases", async () => {
    const own = await opened(2);
    const caller = await makeCaller(own, { credit: 1_000_000, caps: { total: 1_000_000 } });
    for (let spent = 0; spent < 999_500; spent += 3_998)
      await spend(own, caller, 3_998).catch(() => "refused");
    expect(await sharesOf(caller, "total")).toEqual([80, 95]);
    expect(await eventsOf(caller, "account.balance_low")).toMatchObject([{ threshold: 1_000, balance: 500 }]);
    await own.close();
    expect(await store().money.audit()).toEqual([]);
  });

  it("a cap that is lowered below what was spent makes its events, and the same cap none again", async () => {
    const own = await opened();
    const caller = await makeCaller(own, { caps: { daily: 1_000 } });
    await spend(own, caller, 500);
    const ref = { accountId: caller.accountId, id: caller.keyId };
    const at = { actor: "operator:x", at: NOW };
    await own.keys.change(ref, { caps: { daily: 600 } }, at);
    expect(await sharesOf(caller)).toEqual([80]);
    await own.keys.change(ref, { caps: { daily: 1_000 } }, at);
    await own.keys.change(ref, { caps: { daily: 600 } }, at);
    await own.keys.change(ref, { name: "x" }, at);
    expect(await sharesOf(caller)).toEqual([80]);
    await own.close();
  });

  it("a balance that falls below its threshold is an event each time", async () => {
    const own = await opened();
    const caller = await makeCaller(own, { credit: 1_200 });
    await spend(own, { accountId: caller.accountId }, 200);
    expect(await eventsOf(caller)).toEqual([]);
    await spend(own, caller, 1);
    await spend(own, caller, 1);
    const { accountId } = caller;
    const low = { type: "account.balance_low", accountId, threshold: 1_000, balance: 999 };
    expect(await eventsOf(caller)).toEqual([low]);
    await own.accounts.credit({ accountId, amount: 100, kind: "topup", reference: randomUUID(), at: NOW });
    await spend(own, caller, 500);
    expect((await eventsOf(caller)).map(({ balance }) => balance).sort()).toEqual([598, 999]);
    await own.close();
  });

  it("jobs that end and generations that are left behind are events of their commit", async () => {
    const own = await opened();
    const caller = await makeCaller(own);
    const order = async () => {
      const reservation = makeReservation(caller, 100, { exact: true });
      const { id } = reservation.generation;
      const lease = { owner: "w", until: NOW + MINUTE };
      const job = {
        id,
        kind: "video",
        ...caller,
        model: "m",
        at: NOW,
        deadline: NOW + MINUTE,
        lease,
      } as const;
      await own.jobs.create(job, { reservation });
      return { id, owner: "w", attempt: 1, accountId: caller.accountId };
    };
    const done = await order();
    const end = { at: NOW, state: "succeeded", ending: { cost: 40, usage: {} } } as const;
    expect(await own.jobs.finish(done, end)).toBe(true);
    expect(await own.jobs.finish(done, end)).toBe(false);
    const lost = await order();
    const error = { kind: "unavailable", message: "It is not known." } as const;
    await own.jobs.finish(lost, { at: NOW + 1, state: "failed", error, orphan: true, ending: { cost: 0 } });
    const cancelled = await order();
    await own.jobs.cancel(cancelled, {
      at: NOW + 2,
      error: { kind: "cancelled", message: "" },
      durationMs: 1,
    });
    expect(await eventsOf(caller, "job.ended")).toMatchObject([
      { jobId: done.id, kind: "video", model: "m", status: "succeeded", cost: 40, apiKeyId: caller.keyId },
      { jobId: lost.id, status: "failed", error: "unavailable" },
      { jobId: cancelled.id, status: "cancelled" },
    ]);
    const left = priced(makeReservation(caller, 10));
    const gone = await database().open();
    await gone.money.reserve(left);
    await gone.money.checkpoint(left.generation.id, { output: 3 });
    await gone.close();
    await own.money.recover(Date.now());
    expect(await eventsOf(caller, "generation.orphaned")).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ generationId: lost.id, why: "contact_lost", modality: "video" }),
        expect.objectContaining({ generationId: left.generation.id, why: "process_died", cost: 3 }),
      ]),
    );
    await own.close();
  });

  it("nothing is an event where nobody is to hear of it", async () => {
    const caller = await makeCaller(store(), { credit: 1_100, caps: { daily: 100 } });
    await spend(store(), caller, 100);
    expect(await eventsOf(caller)).toEqual([]);
  });

  it("an event is delivered to each of its recipients by one process at a time until it is taken", async () => {
    const own = await opened();
    const name = randomUUID();
    const event = { name, type: "t", data: { a: 1 }, createdAt: NOW };
    await own.outbox.add(event);
    await own.outbox.add({ ...event, data: { a: 2 } });
    const [a, b] = [`a ${name}`, `b ${name}`];
    const now = NOW + MINUTE;
    expect(await own.outbox.isDue([a], now)).toBe(true);
    const recipients = ({ type }: { type: string }) => (type === "t" ? [a, b] : []);
    await Promise.all([own, store()].map((each) => each.outbox.spread(recipients, now, 1_000)));
    const terms = { endpoint: a, now, until: now + MINUTE, most: 5 };
    const claims = await Promise.all([own, store(), own].map((each) => each.outbox.claim(terms)));
    const [delivery, ...others] = claims.flat();
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({ type: "t", data: { a: 1 }, createdAt: NOW, endpoint: a, tries: 1 });
    // The process that claimed it has died: another is given it once the claim has run out.
    expect(await own.outbox.claim({ ...terms, now: now + MINUTE - 1 })).toEqual([]);
    const again = await own.outbox.claim({ ...terms, now: now + MINUTE, until: now + 2 * MINUTE });
    expect(again).toMatchObject([{ id: delivery!.id, tries: 2 }]);
    expect(await own.outbox.failed(again[0]!, now, now + 3 * MINUTE)).toBe(now);
    expect(await own.outbox.claim({ ...terms, now: now + 2 * MINUTE })).toEqual([]);
    const [last] = await own.outbox.claim({ ...terms, now: now + 3 * MINUTE, until: now + 4 * MINUTE });
    expect(await own.outbox.failed(last!, now + 1, now + MINUTE)).toBe(now);
    expect(
      (await own.outbox.depth()).filter(({ endpoint }) => endpoint === a || endpoint === b),
    ).toHaveLength(2);
    await own.outbox.delivered(last!);
    expect((await own.outbox.depth()).filter(({ endpoint }) => endpoint === a)).toEqual([]);
    expect(await own.outbox.failed({ ...last!, endpoint: b }, now + 9)).toBe(now + 9);

    expect(await own.outbox.switchOff(b, now)).toBe(true);
    expect(await own.outbox.switchOff(b, now)).toBe(false);
    expect(await own.outbox.off()).toContain(b);
    await own.outbox.switchOn([b]);
    expect(await own.outbox.off()).not.toContain(b);
    await own.outbox.expire({ events: now, deliveries: now });
    expect(await database().execute(`SELECT id FROM outbox WHERE id = '${delivery!.id}'`)).toEqual([]);
    await own.close();
  });
};
