import { createCatalog } from "@manifold-gateway/gateway";
import { newSketch, newSums, type UsagePoint } from "@manifold-gateway/store";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareProvider } from "../../../packages/gateway/src/account/compare-providers.ts";
import type { KnownEntries } from "../../../packages/gateway/src/account/known-entries.ts";
import { addLatency } from "../../../packages/store/src/usage/sketch.ts";
import { useAllDatabases } from "./databases.ts";
import { type Desk, openDesk } from "./desk.ts";

const HOUR = 3_600_000;

const model = (id: string, provider: string, price?: object) => ({
  ...{ id, inputModalities: ["text"], outputModalities: ["text"], isActive: true, revision: 1 },
  entries: [{ provider, name: id, priority: 1, isActive: true, ...(price && { price }) }],
});

describe.each(useAllDatabases())("what operators see of providers on $name", ({ make }) => {
  let desk: Desk;
  let sent = 0;
  /** A request that a provider served, after others had failed. */
  const serve = async (
    provider: string,
    name: string,
    first: number,
    { status = "succeeded" as "succeeded" | "failed", before = [] as object[], answer = 200, cost = 10 } = {},
  ) => {
    const { store } = desk;
    const id = `g${sent++}`;
    const of = { entry: `${provider} ${name}`, provider };
    const generation = { id, accountId: "acc", modality: "text" as const, model: name };
    await store.money.reserve({ generation, amount: 100, at: desk.now(), policy: "threshold" });
    const attempts = [...before, { ...of, status: answer, ms: first }];
    if (answer >= 400)
      store.contents.keepErrors({ id, account: "acc", at: desk.now() }, [
        { attempt: attempts.length - 1, code: "overloaded", message: "We are full." },
      ]);
    const route = { ...of, name, attempts, speed: { firstTokenMs: first } };
    await store.money.settle({ id, accountId: "acc", status, cost, durationMs: first * 2, route });
  };
  const list = async (query = "") => (await desk.byAdmin("GET", `/api/admin/providers${query}`)).body;

  beforeAll(async () => {
    desk = await openDesk({
      make,
      credit: 6_500,
      catalog: createCatalog([
        ...[model("m1", "swift", { input: 1 }), model("m9", "swift")],
        // A price of pictures for a model of text, and a free one.
        ...[model("m8", "swift", { images: 1 }), model("free", "swift", {})],
      ]),
    });
    // Both serve m1, one three times as fast; m2 is a slow model that one of them has alone.
    for (let n = 0; n < 40; n++) {
      await serve("swift", "m1", 100 + n, { cost: 100 });
      await serve("harbour", "m1", 300 + 3 * n);
      await serve("swift", "m2", 5_000);
    }
    for (let n = 0; n < 3; n++)
      await serve("harbour", "m1", 300, {
        before: [{ entry: "broken m1", provider: "broken", status: 503, ms: 3 }],
      });
    await serve("harbour", "m1", 300, { status: "failed", answer: 400 });
  });
  afterAll(() => desk.close());

  it("lists providers with the worst first, each beside the others of the same models", async () => {
    const { providers, bucket } = await list();
    expect(bucket).toBe("hour");
    expect(providers.map(({ id }: { id: string }) => id)).toEqual(["harbour", "swift"]);
    const [harbour, swift] = providers;
    expect(harbour).toMatchObject({ requests: 44, failed: 1, calls: 44, failedCalls: 0, errorShare: 0 });
    expect(harbour.compared).toMatchObject({ models: ["m1"], providers: ["swift"], requests: 44 });
    expect(harbour.compared.ratio).toBeGreaterThan(2.7);
    expect(harbour.compared.ratio).toBeLessThan(3.3);
    // The slow model has no other provider, and does not count against this one.
    expect(swift.compared.ratio).toBeLessThan(0.4);
    expect(swift.p95FirstMs).toBeGreaterThan(4_750);
    expect(harbour.points).toEqual([{ at: "2026-11-21T12:00:00.000Z", requests: 44 }]);
  });

  it("shows one provider by time and model, and what it answered to its last failed calls", async () => {
    const { body } = await desk.byAdmin("GET", "/api/admin/providers/harbour");
    expect(body.models).toMatchObject([{ model: "m1", requests: 44, providers: ["swift"] }]);
    expect(body.points).toMatchObject([{ requests: 44, others: { p50FirstMs: expect.any(Number) } }]);
    expect(body.failures).toMatchObject([
      { status: 400, model: "m1", error: { code: "overloaded", message: "We are full." } },
    ]);
    expect(body.failures[0].generationId).toMatch(/^g\d+$/);
    const { status } = await desk.byAdmin("GET", "/api/admin/providers/none");
    expect(status).toBe(404);
  });

  it("an hour without requests has none, and a range is checked", async () => {
    const { providers } = await list("?from=2026-11-20T00:00:00Z&to=2026-11-20T06:00:00Z");
    expect(providers).toEqual([]);
    const { status, body } = await desk.byAdmin("GET", "/api/admin/providers?from=2020-01-01");
    expect([status, body.errors[0]]).toEqual([400, expect.stringMatching(/^from: /)]);
  });

  it("says what needs a look: routes, prices, accounts that run out, the last audit, the processes", async () => {
    const read = async () => (await desk.byAdmin("GET", "/api/admin/overview")).body;
    const before = await read();
    expect(before).not.toHaveProperty("audit");
    expect(before.unpriced.map(({ model }: { model: string }) => model)).toEqual(["m9", "m8"]);
    expect(before.slowest.map(({ model }: { model: string }) => model)).toEqual(["m2", "m1", "m1"]);
    expect(before.accounts).toMatchObject([{ id: "acc", name: "Ada" }]);
    expect(before.accounts[0].days).toBeLessThan(7);
    expect(before.processes).toMatchObject([{ isThis: true }]);
    const { differences } = (await desk.byAdmin("GET", "/api/admin/audit")).body;
    expect((await read()).audit).toMatchObject({
      actor: "operator:operator",
      differences: differences.length,
    });
    for (let n = 0; n < 20; n++) await serve("harbour", "m3", 50, { status: "failed", answer: 500 });
    expect((await read()).failing).toMatchObject([{ entry: "harbour m3", errorShare: 1 }]);
    const [worst] = (await list()).providers;
    expect(worst).toMatchObject({ id: "harbour", failedCalls: 20 });
  });

  it("lists requests that began long ago and have not ended", async () => {
    const generation = { id: "stuck", accountId: "acc", modality: "text" as const, model: "m1" };
    await desk.store.money.reserve({ generation, amount: 1, at: desk.now(), policy: "threshold" });
    const stale = async () => (await desk.byAdmin("GET", "/api/admin/overview")).body.stale;
    expect(await stale()).toEqual([]);
    desk.pass(2 * HOUR);
    expect(await stale()).toMatchObject([{ id: "stuck" }]);
  });
});

describe("the comparison of a provider with others", () => {
  const point = (name: string, latencies: readonly number[]): UsagePoint => {
    const firsts = newSketch();
    for (const ms of latencies) addLatency(firsts, ms);
    return { ...newSums(false), at: 0, name, firsts };
  };
  const entries: KnownEntries = new Map(
    ["a", "b"].flatMap((provider) =>
      ["fast", "slow"].map((model) => {
        const entry = `${provider} ${model}`;
        return [entry, { entry, provider, model, name: model }] as const;
      }),
    ),
  );

  it("providers of the same speed are as fast as each other, whatever mix of models each serves", () => {
    const counts = fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 5, max: 60 })));
    fc.assert(
      fc.property(counts, ([aFast, aSlow, bFast, bSlow]) => {
        const points = [
          point("a fast", Array(aFast).fill(100)),
          point("a slow", Array(aSlow).fill(4_000)),
          point("b fast", Array(bFast).fill(100)),
          point("b slow", Array(bSlow).fill(4_000)),
        ];
        for (const provider of ["a", "b"]) {
          const compared = compareProvider(provider, points, entries)!;
          expect(compared.models).toEqual(["fast", "slow"]);
          expect(compared.ratio).toBeGreaterThan(0.95);
          expect(compared.ratio).toBeLessThan(1.05);
        }
      }),
    );
  });

  it("is left out where no other provider served one of its models often enough", () => {
    const points = [point("a fast", Array(50).fill(100)), point("b fast", [900, 900])];
    expect(compareProvider("a", points, entries)).toBeUndefined();
  });
});
