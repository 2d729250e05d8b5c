import { type Generation, type Outcome, quantiles, type Store, sumOf } from "@manifold-gateway/store";
import fc from "fast-check";
import { expect, it } from "vitest";
import { makeCaller, makeReservation, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { expectClose } from "../usage/exact.ts";
import { useStore } from "./use-store.ts";

const HOUR = 3_600_000;
const ALL = { from: 0, to: NOW + HOUR };

const ms = fc.double({ min: 0, max: 18, noNaN: true }).map((log) => Math.round(Math.exp(log)));
const requests = fc.array(
  fc.record({
    by: fc.nat(1),
    ago: fc.nat(30 * HOUR),
    model: fc.constantFrom("swift-1", "brush-1"),
    status: fc.constantFrom<Outcome>("succeeded", "failed"),
    team: fc.option(fc.constantFrom("search", "ads"), { nil: undefined }),
    entry: fc.constantFrom("e-1", "e-2"),
    durationMs: fc.option(ms, { nil: undefined }),
    first: fc.option(ms, { nil: undefined }),
    since: fc.option(ms, { nil: undefined }),
  }),
  { minLength: 1, maxLength: 24 },
);
type Made = (typeof requests extends fc.Arbitrary<infer Of> ? Of : never)[number];

const ONE: Made = {
  ...{ by: 0, ago: 0, model: "swift-1", status: "succeeded", team: undefined, entry: "e-1" },
  ...{ durationMs: 5, first: undefined, since: undefined },
};

const speedOf = ({ first, since }: Made) =>
  first === undefined
    ? undefined
    : { firstTokenMs: first, ...(since !== undefined && { sinceCallMs: since }) };

const firstOf = (made: Made): number | undefined => {
  const { firstTokenMs, sinceCallMs = firstTokenMs } = speedOf(made) ?? {};
  return sinceCallMs;
};

/** Makes a generation and ends it. */
async function end(store: Store, accountId: string, made: Made): Promise<void> {
  const { ago, model, status, team, entry, durationMs } = made;
  const { generation, ...rest } = makeReservation({ accountId }, 0, { at: NOW - ago });
  await store.money.reserve({
    ...rest,
    generation: { ...generation, model, ...(team && { tags: { team } }) },
  });
  const speed = speedOf(made);
  await store.money.settle({
    ...{ id: generation.id, accountId, cost: 0, status, route: { entry, ...(speed && { speed }) } },
    ...(durationMs !== undefined && { durationMs }),
  });
}

export const latencies: Context = (database) => {
  const store = useStore(database);

  it.each([
    ["held one by one", Number.POSITIVE_INFINITY],
    ["let in from leases", 2],
  ])("percentiles of what several processes ended %s are close to the exact ones", async (_, busy) => {
    const stores = [await database().open({ busy }), await database().open({ busy })];
    await fc.assert(
      fc.asyncProperty(requests, requests, async (early, late) => {
        const { accountId } = await makeCaller(store());
        const check = async () => {
          const all = [...early, ...late];
          for (const by of [undefined, "model", "status", "entry"] as const)
            for (const point of await store().usage.series({ accountId, ...ALL }, { ...(by && { by }) })) {
              const same = all.filter((one) => by === undefined || one[by] === point.name);
              expectClose(
                point.durations,
                same.flatMap(({ durationMs = [] }) => durationMs),
              );
              expectClose(
                point.firsts,
                same.flatMap((one) => firstOf(one) ?? []),
              );
              expect(point.isCoarse).toBe(false);
            }
          const tagged = { accountId, ...ALL, tag: { name: "team" } };
          for (const point of await store().usage.series(tagged, { by: "tag" })) {
            const same = all.filter(({ team }) => team === point.name);
            expectClose(
              point.durations,
              same.flatMap(({ durationMs = [] }) => durationMs),
            );
          }
        };
        const run = async (made: readonly Made[]) => {
          await Promise.all(made.map((one) => end(stores[one.by]!, accountId, one)));
          for (const one of stores) await one.usage.series({ accountId, ...ALL }, {});
        };
        await run(early);
        await store().usage.expire(NOW - 10 * HOUR);
        await run(late);
        await check();
        await store().usage.expire(NOW + 10 * HOUR);
        const parts = await database().execute(
          `SELECT hour FROM hourly_latencies WHERE part <> '' AND account_id = '${accountId}'`,
        );
        expect(parts).toEqual([]);
        await check();
        await database().execute(`UPDATE hourly_sums SET requests = 0 WHERE account_id = '${accountId}'`);
        expect(await store().usage.repair()).toBeGreaterThan(0);
        await check();
      }),
      { numRuns: 2, endOnFailure: true },
    );
    for (const one of stores) await one.close();
  });

  it("latencies are written soon after an end, without another read or the end of the process", async () => {
    const own = await database().open();
    const { accountId } = await makeCaller(own);
    await end(own, accountId, { ...ONE, durationMs: 77 });
    const median = async () =>
      quantiles(sumOf(await store().usage.series({ accountId, ...ALL }, {})).durations, [0.5]);
    await expect.poll(median).toEqual([77]);
    await own.close();
  });

  it("a part that was merged meanwhile is not written again", async () => {
    const own = await database().open();
    const { accountId } = await makeCaller(own);
    const counted = async () => {
      const { durations } = sumOf(await own.usage.series({ accountId, ...ALL }, {}));
      return [...durations.counts.values()].reduce((sum, count) => sum + count, 0);
    };
    await end(own, accountId, ONE);
    expect(await counted()).toBe(1);
    await store().usage.expire(NOW + 10 * HOUR);
    await end(own, accountId, ONE);
    // What came since the merge is lost with the part, and all that follows has a new one.
    expect(await counted()).toBe(1);
    await end(own, accountId, ONE);
    expect(await counted()).toBe(2);
    await own.close();
  });

  it("durations that an earlier version counted by wide classes say so", async () => {
    const { accountId } = await makeCaller(store());
    await end(store(), accountId, { ...ONE, durationMs: 5_000 });
    const read = async () => sumOf(await store().usage.series({ accountId, ...ALL }, {}));
    expect(await read()).toMatchObject({ isCoarse: false });
    await database().execute(`DELETE FROM hourly_latencies WHERE account_id = '${accountId}'`);
    await database().execute(`UPDATE hourly_sums SET pace_4 = 1 WHERE account_id = '${accountId}'`);
    const coarse = await read();
    expect(coarse.isCoarse).toBe(true);
    const [median] = quantiles(coarse.durations, [0.5]);
    expect(median).toBeGreaterThan(3_000);
    expect(median).toBeLessThan(10_000);
    // Another end of the hour, by this version.
    await end(store(), accountId, { ...ONE, status: "failed", durationMs: 60_000 });
    expect(quantiles((await read()).durations, [1])).toEqual([60_000]);
  });

  it("calls that fail are counted by entry, and the last of them are kept with the provider's words", async () => {
    const own = await database().open();
    const { accountId } = await makeCaller(own);
    const call = async (status: Outcome, attempts: object[], more: object = {}) => {
      const { generation, ...rest } = makeReservation({ accountId }, 0);
      await own.money.reserve({ ...rest, generation });
      const { id } = generation;
      own.contents.keepErrors({ id, account: accountId, at: NOW }, [
        { attempt: 0, code: "overloaded", message: "We are full." },
      ]);
      const route = { entry: "e-y", provider: "yard", name: "y", attempts, ...more } as Generation["route"] &
        object;
      await own.money.settle({ id, accountId, cost: 0, status, durationMs: 10, route });
    };
    const [x, y] = [
      { entry: "e-x", provider: "xylo" },
      { entry: "e-y", provider: "yard" },
    ].map((one) => ({ ...one, ms: 1 }));
    await call("succeeded", [
      { ...x, status: 503 },
      { ...y, status: 200 },
    ]);
    await call("succeeded", [
      { ...x, fault: "connect" },
      { ...y, status: 200 },
    ]);
    await call("failed", [{ ...y, status: 400 }]);
    await call("failed", [{ ...y, status: 200 }]);
    // A guard refused the answer.
    await call("failed", [{ ...y, status: 200 }], { fault: "guard_refused" });
    const hour = NOW - (NOW % HOUR);
    const counts = await own.usage.failures({ from: hour, to: hour + HOUR });
    expect(counts).toEqual([
      { hour, entry: "e-x", retried: 2, failed: 2 },
      { hour, entry: "e-y", retried: 0, failed: 1 },
    ]);
    await store().usage.expire(NOW + 10 * HOUR);
    expect(await store().usage.failures({ from: hour, to: hour + HOUR })).toEqual(counts);
    const failed = await own.usage.failedCalls("xylo", 5);
    expect(failed).toMatchObject([
      { entry: "e-x", fault: "connect", accountId, model: "swift-1" },
      { entry: "e-x", status: 503, error: { code: "overloaded", message: "We are full." } },
    ]);
    expect(await own.usage.failedCalls("yard", 9)).toMatchObject([
      { status: 200, fault: "incomplete" },
      { status: 400 },
    ]);
    expect((await own.usage.served()).get("e-y")).toMatchObject({ provider: "yard", name: "y" });
    await own.close();
  });
};
