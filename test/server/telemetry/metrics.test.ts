import { expect, it } from "vitest";
import { createMeter } from "../../../apps/server/src/telemetry/metrics.ts";
import { translated, valuesOf, withHarness } from "../../gateway/observe/stand.ts";
import { noStop, startRefusing } from "../../support/refusing.ts";
import { CHAT, model } from "../../support/text.ts";

const sum = (values: Record<string, number>): number => Object.values(values).reduce((a, b) => a + b, 0);

it("metrics add up to what happened and to what was charged", async () => {
  const meter = createMeter();
  await withHarness(
    { observer: meter.observer, metrics: meter.text, adminKey: "x".repeat(32) },
    async (h) => {
      meter.watch(h.gateway);
      const before = (await h.balance()).balance;
      for (const stream of [false, true]) await (await h.call(CHAT, { ...translated, stream })).text();
      const messages = [{ role: "user", content: "[[fault:status=500]] x" }];
      await (await h.call(CHAT, { model: "sim-chatstyle", messages })).text();
      await h.call(CHAT, { model: "nothing", messages });
      await h.settled();
      const spent = before - (await h.balance()).balance;
      const response = await h.call("/metrics", undefined, { headers: { "x-admin-key": "x".repeat(32) } });
      expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=/);
      const text = await response.text();
      const route = `surface="chatstyle",method="POST",route="${CHAT}"`;
      expect(valuesOf(text, "manifold_requests_total")).toMatchObject({
        [`${route},status="200"`]: 2,
        [`${route},status="400"`]: 1,
      });
      const generations = valuesOf(text, "manifold_generations_total");
      expect(sum(generations)).toBe(3);
      const ended = Object.entries(generations).map(([labels, count]) => [
        /status="(\w+)"/.exec(labels)?.[1],
        count,
      ]);
      expect(ended).toEqual(
        expect.arrayContaining([
          ["succeeded", 2],
          ["failed", 1],
        ]),
      );
      expect(sum(valuesOf(text, "manifold_cost_usd_total"))).toBeCloseTo(spent / 1e6, 9);
      expect(sum(valuesOf(text, "manifold_losses_total"))).toBeGreaterThan(0);
      expect(valuesOf(text, "manifold_attempts_total")).toMatchObject({
        'provider="msgstyle",operation="chat",outcome="200"': 2,
        'provider="chatstyle",operation="chat",outcome="500"': 1,
      });
      expect(sum(valuesOf(text, "manifold_attempts_in_flight"))).toBe(0);
      expect(sum(valuesOf(text, "manifold_requests_in_flight"))).toBe(1);
      const circuits = valuesOf(text, "manifold_entry_circuit");
      expect(Object.keys(circuits).length).toBeGreaterThan(0);
      expect(sum(circuits)).toBe(Object.keys(circuits).length / 3);
    },
  );
});

it("metrics count priced successes that cost nothing, and settlements that came late", async () => {
  const meter = createMeter();
  const priced = (id: string, price: Record<string, number>) =>
    model(id, "chatstyle", {
      entries: [{ provider: "chatstyle", name: "sim-chatstyle", priority: 1, isActive: true, price }],
    });
  const models = [
    priced("by-cache", { cacheRead: 1_000_000 }),
    priced("free", {}),
    priced("zero", { input: 0 }),
  ];
  await withHarness({ observer: meter.observer, models }, async (h) => {
    let late = 0;
    meter.watch(h.gateway, { ...h.store, money: { lateSettlements: () => late } });
    const messages = [{ role: "user", content: "Hello" }];
    for (const one of ["by-cache", "free", "zero", "sim-chatstyle"])
      expect((await h.call(CHAT, { model: one, messages })).status).toBe(200);
    const read = async () => (await meter.text()).text;
    expect(valuesOf(await read(), "manifold_generations_uncharged_total")).toEqual({
      'model="by-cache",provider="chatstyle"': 1,
    });
    expect(await read()).toMatch(/^manifold_settlements_late_total 0$/m);
    late = 2;
    for (let times = 0; times < 2; times++)
      expect(await read()).toMatch(/^manifold_settlements_late_total 2$/m);
  });
});

it("metrics count what refusals have shown of a model, as long as it holds", async () => {
  const meter = createMeter();
  const stage = await startRefusing(noStop);
  meter.watch(stage.gateway);
  const learnt = async () => valuesOf((await meter.text()).text, "manifold_learnt_traits");
  expect(await learnt()).toEqual({});
  await stage.call("/api/msgstyle/v1/messages", {
    model: "m",
    max_tokens: 50,
    messages: [{ role: "user", content: "Hi" }],
    stop_sequences: ["END"],
  });
  expect(await learnt()).toEqual({ 'provider="p",name="m"': 1 });
  stage.pass(86_400_000);
  expect(await learnt()).toEqual({});
  await stage.close();
});

it("a timed store does what the store does", async () => {
  const meter = createMeter();
  await withHarness({}, async (h) => {
    const timed = meter.time(h.store);
    expect(await timed.money.audit()).toEqual([]);
    const whose = { accountId: "acc", keyId: "key", modality: "text", model: "m" } as const;
    const generation = { id: "g1", ...whose, request: {}, price: {} };
    const asked = { generation, amount: 5, at: Date.now(), policy: "threshold", dispatched: true } as const;
    expect((await timed.money.reserve(asked)).ok).toBe(true);
    await timed.money.release({ id: "g1", status: "failed", durationMs: 1 });
    expect((await h.balance()).held).toBe(0);
    const { text } = await meter.text();
    expect(valuesOf(text, "manifold_store_commit_seconds_count")).toEqual({
      'operation="reserve"': 1,
      'operation="release"': 1,
    });
  });
});
