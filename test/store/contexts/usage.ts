import {
  BUCKETS,
  bucketOf,
  type Generation,
  MODALITIES,
  OUTCOMES,
  type Outcome,
  quantiles,
  SPLITS,
  sumOf,
  type Tags,
} from "@manifold-gateway/store";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Split } from "../../../packages/store/src/usage/series.ts";
import { setting } from "../../system/money/places.ts";
import { elsewhere, makeCaller, makeKey, makeReservation, NOW, priced } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

const HOUR = 3_600_000;
const ALL = { from: 0, to: Number.MAX_SAFE_INTEGER };

const requests = fc.array(
  fc.record({
    ago: fc.integer({ min: 0, max: 60 * 24 * HOUR }),
    key: fc.nat(2),
    modality: fc.constantFrom(...MODALITIES),
    model: fc.constantFrom("swift-1", "brush-1", "voice-1"),
    status: fc.constantFrom<Outcome>(...OUTCOMES),
    cost: fc.nat(90),
    durationMs: fc.option(fc.nat(400_000), { nil: undefined }),
    surface: fc.constantFrom(undefined, "chatstyle", "native"),
    // The entry that it is sent to, and the one that it ends at.
    begun: fc.constantFrom(undefined, "e-1"),
    ended: fc.constantFrom(undefined, "e-1", "e-2"),
    tags: fc.option(
      fc.record(
        { team: fc.constantFrom("search", "ads"), env: fc.constantFrom("prod", "test") },
        { requiredKeys: [] },
      ),
      { nil: undefined },
    ),
    usage: fc.record(
      {
        input: fc.nat(999),
        output: fc.nat(999),
        cacheRead: fc.nat(99),
        reasoning: fc.nat(99),
        images: fc.nat(4),
        characters: fc.nat(999),
        seconds: fc.nat(99_999).map((millis) => millis / 1_000),
      },
      { requiredKeys: [] },
    ),
  }),
  { minLength: 1, maxLength: 30 },
);

/** What sums of it are apart by. */
const partOf = (one: Generation, by: Split | "account"): unknown =>
  ({ ...one, key: one.keyId, entry: one.route?.entry, account: one.accountId })[by] ?? "";

export const usage: Context = (database) => {
  const store = useStore(database);

  it.each([
    ["held one by one", Number.POSITIVE_INFINITY],
    ["let in from leases", 2],
  ])("adds up to the list of requests %s, however it is split", async (_, busy) => {
    const own = await database().open({ busy });
    await fc.assert(
      fc.asyncProperty(requests, fc.constantFrom(...BUCKETS), async (made, bucket) => {
        const { accountId, keyId } = await makeCaller(own, { credit: 1_000_000 });
        const keys = [keyId, await makeKey(own, accountId), undefined];
        await Promise.all(
          made.map(async ({ ago, key, modality, model, tags, surface, begun, ended, ...ending }) => {
            const keyId = keys[key];
            const caller = { accountId, ...(keyId !== undefined && { keyId }) };
            const { generation, ...rest } = makeReservation(caller, 5, { at: NOW - ago });
            const named = { modality, model, ...(tags && { tags }), ...(surface && { surface }) };
            const route = begun && { route: { entry: begun } };
            await own.money.reserve({ ...rest, generation: { ...generation, ...named, ...route } });
            const last = ended && { route: { entry: ended } };
            await own.money.settle({ id: generation.id, accountId, ...ending, ...last });
          }),
        );
        const { results } = await own.generations.list({ accountId }, { offset: 0, limit: 100 });
        expect(results.length).toBe(made.length);
        const totals = { requests: results.length, cost: 0, output: 0, millis: 0, duration_ms: 0 };
        for (const { cost = 0, usage, durationMs = 0 } of results) {
          const { output = 0, seconds = 0 } = (usage ?? {}) as { output?: number; seconds?: number };
          totals.cost += cost;
          totals.output += output;
          totals.millis += Math.round(seconds * 1_000);
          totals.duration_ms += durationMs;
        }
        expect(sumOf(await own.usage.series({ accountId, ...ALL }, {}))).toMatchObject(totals);
        const byAccount = await own.usage.series(ALL, { bucket, by: "account" });
        for (const by of [undefined, "account", ...SPLITS] as const) {
          const points = await own.usage.series({ accountId, ...ALL }, { bucket, ...(by && { by }) });
          expect(sumOf(points)).toMatchObject(totals);
          if (by === "account") expect(byAccount.filter(({ name }) => name === accountId)).toEqual(points);
          for (const point of points) {
            const same = results.filter(
              (one) =>
                bucketOf(one.createdAt, bucket) === point.at &&
                (by === undefined || partOf(one, by) === point.name),
            );
            expect(point.requests).toBe(same.length);
            expect(point.failed).toBe(same.filter(({ status }) => status === "failed").length);
          }
        }
        const teams = results.filter(({ tags }) => tags?.team !== undefined);
        const byTeam = { accountId, ...ALL, tag: { name: "team" } };
        const points = await own.usage.series(byTeam, { bucket, by: "tag" });
        expect(sumOf(points).requests).toBe(teams.length);
        for (const point of points) {
          const same = teams.filter(
            ({ tags, createdAt }) => tags?.team === point.name && bucketOf(createdAt, bucket) === point.at,
          );
          expect(point.requests).toBe(same.length);
          expect(point.cost).toBe(same.reduce((sum, { cost = 0 }) => sum + cost, 0));
        }
        const prod = { accountId, ...ALL, modality: "text", tag: { name: "env", value: "prod" } } as const;
        const some = { accountId, modality: "text", tags: { env: "prod" } } as const;
        expect(sumOf(await own.usage.series(prod, { bucket, by: "key" })).requests).toBe(
          (await own.generations.list(some, { offset: 0, limit: 1 })).total,
        );
        const at = { surface: "native", entry: "e-2" };
        expect(sumOf(await own.usage.series({ accountId, ...ALL, ...at }, { bucket })).requests).toBe(
          (await own.generations.list({ accountId, ...at }, { offset: 0, limit: 1 })).total,
        );
        const since = bucketOf(NOW, "hour") - 30 * 24 * HOUR;
        const late = results.filter(({ createdAt }) => createdAt >= since);
        const spent = late.reduce((sum, { cost = 0 }) => sum + cost, 0);
        const found = await own.usage.spent([accountId, "nobody"], since);
        expect(found.get(accountId) ?? 0).toBe(spent);
        expect(found.has("nobody")).toBe(false);
        const hour = { from: bucketOf(NOW, "hour") - 5 * HOUR, to: bucketOf(NOW, "hour") };
        const between = await own.generations.list({ accountId, ...hour }, { offset: 0, limit: 100 });
        const chosen = await own.usage.series({ accountId, ...hour }, { bucket });
        expect(sumOf(chosen).requests).toBe(between.total);
      }),
      { numRuns: setting("HISTORIES", 2) },
    );
    await own.close();
    expect(await store().money.audit()).toEqual([]);
  });

  it("follows an end that comes late, and leaves a refund out", async () => {
    const caller = await makeCaller(store());
    const { accountId } = caller;
    const sums = async () => sumOf(await store().usage.series({ accountId, ...ALL }, { bucket: "day" }));
    const slow = await database().open({ owner: elsewhere() });
    const { generation, ...rest } = makeReservation(caller, 10);
    const reservation = priced({
      ...rest,
      generation: { ...generation, tags: { team: "search" }, route: { entry: "e-1" } },
    });
    const tagged = { accountId, ...ALL, tag: { name: "team", value: "search" } };
    const { id } = reservation.generation;
    await slow.money.reserve(reservation);
    await slow.money.checkpoint(id, { output: 3 });
    expect(await sums()).toMatchObject({ requests: 0 });
    await store().money.recover(Date.now() + 60_000);
    expect(await sums()).toMatchObject({ requests: 1, failed: 1, cost: 3, output: 3 });
    const end = {
      id,
      accountId,
      cost: 7,
      status: "succeeded",
      usage: { output: 7 },
      durationMs: 250,
      route: { entry: "e-2" },
    } as const;
    expect(await slow.money.settle(end)).toMatchObject({ outcome: "late" });
    const after = { requests: 1, failed: 0, cost: 7, output: 7, duration_ms: 250 };
    expect(await sums()).toMatchObject(after);
    for (const filter of [tagged, { ...tagged, entry: "e-2" }, { accountId, ...ALL, entry: "e-2" }])
      expect(sumOf(await store().usage.series(filter, { bucket: "day" }))).toMatchObject(after);
    expect(await slow.money.settle(end)).toEqual({ outcome: "repeated" });
    await store().money.refund(id, 7, NOW);
    expect(await sums()).toMatchObject(after);
    await slow.close();
    expect(quantiles((await sums()).durations, [0.5, 1])).toEqual([250, 250]);
    expect(await store().money.audit()).toEqual([]);
  });

  it("counts further values of a tag as one when an hour has a hundred, and no further names", async () => {
    const caller = await makeCaller(store());
    const { accountId } = caller;
    const ask = async (tags: Tags) => {
      const { generation, ...rest } = makeReservation(caller, 1);
      await store().money.reserve({ ...rest, generation: { ...generation, tags } });
      await store().money.settle({ id: generation.id, cost: 1, status: "succeeded" });
    };
    for (let n = 0; n < 50; n++) await ask({ user: `u${n}`, session: `s${n}` });
    await ask({ user: "u50", session: "s1" });
    await ask({ user: "u51", plan: "free" });
    const series = async (name: string) => {
      const points = await store().usage.series(
        { accountId, ...ALL, tag: { name } },
        { bucket: "day", by: "tag" },
      );
      return Object.fromEntries(points.map(({ name, requests }) => [name, requests]));
    };
    expect(await series("user")).toMatchObject({ u0: 1, u49: 1, "": 2 });
    expect(await series("session")).toMatchObject({ s0: 1, s1: 2 });
    expect(await series("plan")).toEqual({});
    expect(await store().money.audit()).toEqual([]);
    expect(await store().usage.repair()).toBe(0);
  });

  it("writes sums anew where an older process left tags out", async () => {
    const caller = await makeCaller(store());
    const { generation, ...rest } = makeReservation(caller, 1);
    const { accountId } = caller;
    const tags = { team: "search" };
    await store().money.reserve({ ...rest, generation: { ...generation, tags } });
    await store().money.settle({ id: generation.id, cost: 1, status: "succeeded" });
    for (const table of ["hourly_tag_sums", "hourly_tag_values"])
      await database().execute(`DELETE FROM ${table} WHERE account_id = '${accountId}'`);
    expect(await store().usage.repair()).toBe(1);
    const tag = { name: "team", value: "search" };
    const points = await store().usage.series({ accountId, ...ALL, tag }, { bucket: "day" });
    expect(sumOf(points)).toMatchObject({ requests: 1, cost: 1 });
    expect(await store().money.audit()).toEqual([]);
  });

  it("an account runs out whose credit is less than it spent, beside one that is overdrawn and spent nothing", async () => {
    const spend = async (caller: { accountId: string }, cost: number, at = NOW) => {
      const { generation, ...rest } = makeReservation(caller, 0, { at });
      await store().money.reserve({ ...rest, generation });
      return () => store().money.settle({ id: generation.id, ...caller, cost, status: "succeeded" });
    };
    const [short, long, overdrawn] = await Promise.all(
      [100, 1_000, 10].map(async (credit) => {
        const { accountId } = await makeCaller(store(), { credit });
        return { accountId };
      }),
    );
    const ends = await Promise.all([
      ...[spend(short!, 60), spend(long!, 60)],
      ...[spend(overdrawn!, 12, NOW - 48 * HOUR), spend(overdrawn!, 0)],
    ]);
    for (const end of ends) await end();
    expect((await store().accounts.get(overdrawn!.accountId))?.balance).toBe(-2);
    const found = await store().usage.runningOut(NOW - (NOW % HOUR), 1_000);
    const own = [short, long, overdrawn].map((one) => one!.accountId);
    expect(found.filter(({ id }) => own.includes(id))).toEqual([
      { id: short!.accountId, name: "Ada", available: 40, spent: 60 },
    ]);
  });

  it("pages through requests of one moment, each once", async () => {
    const caller = await makeCaller(store());
    const { accountId } = caller;
    for (let n = 0; n < 7; n++) {
      const { generation, ...rest } = makeReservation(caller, 1, { at: NOW + (n > 3 ? 1 : 0) });
      await store().money.reserve({ ...rest, generation: { ...generation, request: { n } } });
      await store().money.settle({ id: generation.id, cost: 0, status: "succeeded" });
    }
    const { results } = await store().generations.list({ accountId }, { offset: 0, limit: 10 });
    const paged: Generation[] = [];
    for (let page: Generation[] = []; ; ) {
      const last = page.at(-1);
      page = await store().generations.after(
        { accountId },
        { ...(last && { after: last }), limit: 2, isWithRequest: false },
      );
      if (page.length === 0) break;
      paged.push(...page);
    }
    expect(paged.map(({ id }) => id)).toEqual(results.map(({ id }) => id));
    expect(paged.every(({ request }) => request === undefined)).toBe(true);
    const [first] = await store().generations.after({ accountId }, { limit: 1, isWithRequest: true });
    expect(first).toEqual(results[0]);
  });

  it("pages through the requests that pass a filter as through all, however far apart they are", async () => {
    await fc.assert(
      fc.asyncProperty(requests, fc.integer({ min: 1, max: 4 }), async (made, limit) => {
        const caller = await makeCaller(store(), { credit: 1_000_000 });
        const { accountId } = caller;
        for (const { ago, model, status, cost } of made) {
          const { generation, ...rest } = makeReservation(caller, 5, { at: NOW - ago });
          await store().money.reserve({ ...rest, generation: { ...generation, model } });
          await store().money.settle({ id: generation.id, cost, status });
        }
        for (const some of [
          { model: "swift-1" },
          { status: "failed", from: NOW - 20 * 24 * HOUR },
        ] as const) {
          const filter = { accountId, ...some };
          const { results } = await store().generations.list(filter, { offset: 0, limit: 100 });
          const paged: Generation[] = [];
          for (let page: Generation[] = []; ; ) {
            const last = page.at(-1);
            const where = { ...(last && { after: last }), limit, isWithRequest: true };
            page = await store().generations.after(filter, where);
            paged.push(...page);
            if (page.length < limit) break;
          }
          expect(paged).toEqual(results);
        }
      }),
      { numRuns: 3 },
    );
  });
};
