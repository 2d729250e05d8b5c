import { type Store, windowsOf } from "@manifold-gateway/store";
import { expect, it, vi } from "vitest";
import { setting } from "../../system/money/places.ts";
import { makeCaller, makeReservation } from "../fixtures.ts";
import type { Context } from "../suite.ts";

/** Requests between two changes of the clock; the long run is `5000`. */
const REQUESTS = setting("CLOCK_REQUESTS", 30);
const LANES = 9;
/** Half an hour before December, and what the clock is set to under load, hours from there: forward, back, over it. */
const BEGIN = Date.UTC(2026, 10, 30, 22, 30);
const HOURS = [0, 1, -1, 2, 0.5, -0.5, 3];

export const clocks: Context = (database) => {
  it("a clock that is set under load, over the end of a month and back, moves no request into another month's cap", {
    timeout: 60_000 + 20 * REQUESTS,
  }, async () => {
    const stores = await Promise.all([1, 2, 3].map(() => database().open({ busy: 2 })));
    // Less than is asked for in either month; what is held is what it costs, so that it is reached exactly.
    const limit = REQUESTS + Math.floor(REQUESTS / 2);
    const { accountId, keyId } = await makeCaller(stores[0]!, { caps: { monthly: limit } });
    let [asked, hour] = [0, 0];
    const { now } = Date;
    const started = now();
    vi.spyOn(Date, "now").mockImplementation(() => BEGIN + HOURS[hour]! * 3_600_000 + now() - started);
    const recovered: Promise<unknown>[] = [];
    const spent = new Map<string, number>();
    const lane = async (store: Store): Promise<void> => {
      while (asked < REQUESTS * HOURS.length) {
        asked += 1;
        const before = hour;
        hour = Math.min(Math.floor(asked / REQUESTS), HOURS.length - 1);
        // Everybody lives, whatever the clock says.
        if (hour !== before) recovered.push(stores[hour % stores.length]!.money.recover(Date.now()));
        const reservation = makeReservation({ accountId, keyId }, 1, { at: Date.now(), policy: "strict" });
        if (!(await store.money.reserve(reservation)).ok) continue;
        const { id } = reservation.generation;
        expect(await store.money.settle({ id, cost: 1, status: "succeeded" })).toEqual({
          outcome: "written",
        });
        const { monthly } = windowsOf(reservation.at);
        spent.set(monthly, (spent.get(monthly) ?? 0) + 1);
      }
    };
    try {
      await Promise.all(Array.from({ length: LANES }, (_, n) => lane(stores[n % stores.length]!)));
      for (const counts of await Promise.all(recovered)) expect(counts).toEqual({ settled: 0, released: 0 });
      expect(Object.fromEntries(spent)).toEqual({ "2026-11": limit, "2026-12": limit });
      for (const at of [BEGIN, BEGIN + 2 * 3_600_000])
        expect((await stores[0]!.money.capStatus(keyId, at)).monthly).toEqual({
          limit,
          spent: limit,
          remaining: 0,
        });
    } finally {
      vi.restoreAllMocks();
      await Promise.all(stores.map((store) => store.close()));
    }
    const last = await database().open();
    expect((await last.accounts.get(accountId))?.held).toBe(0);
    expect(await last.money.audit()).toEqual([]);
    await last.close();
  });
};
