import { createServer } from "node:http";
import { defineProvider } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { listen } from "../../support/listen.ts";
import { startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";

const body = { model: "sim-chatstyle", messages: [{ role: "user", content: "Hello there" }] };
const PATH = "/api/chatstyle/v1/chat/completions";

describe("money of requests", () => {
  it("a request is charged by what upstream counted, and recorded", async () => {
    const h = await startStage();
    const before = (await h.balance()).balance;
    const response = await h.call(PATH, body);
    expect(response.status).toBe(200);
    const id = response.headers.get("x-generation-id") ?? "";
    const [truth] = h.simulator.ledger.entries;
    const cost = (truth?.usage.input ?? 0) + 2 * (truth?.usage.output ?? 0);
    expect(cost).toBeGreaterThan(0);
    expect(await h.balance()).toEqual({ balance: before - cost, held: 0 });
    const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 10 });
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ id, status: "succeeded", modality: "text", model: body.model, cost });
    expect(await h.store.money.audit()).toEqual([]);
    await h.close();
  });

  it("an empty balance is a 403 before anything is called", async () => {
    const h = await startStage({ credit: 0 });
    const response = await h.call(PATH, body);
    expect(response.status).toBe(403);
    expect((await response.json()).errors[0]).toContain("balance");
    expect(h.simulator.ledger.entries).toHaveLength(0);
    await h.close();
  });

  it("a reached cap is a 429 that is not to be retried", async () => {
    const h = await startStage();
    await h.store.keys.change({ accountId: "acc", id: "key" }, { caps: { daily: 0 } });
    const response = await h.call(PATH, body);
    expect(response.status).toBe(429);
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await response.json()).errors[0]).toContain("daily");
    await h.close();
  });

  it("a request that upstream refused costs nothing", async () => {
    const h = await startStage();
    const before = await h.balance();
    const response = await h.call(PATH, {
      ...body,
      messages: [{ role: "user", content: "[[fault:status=429,retry-after=7]]" }],
    });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(await h.balance()).toEqual(before);
    const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 10 });
    expect(results).toMatchObject([{ status: "failed" }]);
    await h.close();
  });

  it("no credential of the caller reaches the provider", async () => {
    const h = await startStage();
    await h.call(
      PATH,
      { ...body, provider: { order: ["x"] } },
      {
        headers: { cookie: "a=b", "x-forwarded-for": "1.2.3.4", "anthropic-version": "2023-06-01" },
      },
    );
    const [truth] = h.simulator.ledger.entries;
    const sent = JSON.stringify(truth?.headers);
    expect(sent).not.toContain(KEY);
    expect(Object.keys(truth?.headers ?? {})).toContain("authorization");
    for (const name of ["cookie", "x-forwarded-for", "x-api-key"])
      expect(truth?.headers).not.toHaveProperty(name);
    expect(truth?.request).not.toHaveProperty("provider");
    await h.close();
  });
});

describe("the cost that upstream reports", () => {
  it("the cost that upstream reports is kept beside our own", async () => {
    const upstream = createServer((_, res) => {
      const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost: 0.00123 };
      const choices = [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }];
      res.setHeader("content-type", "application/json");
      res.end(JSON.stringify({ id: "x", object: "chat.completion", created: 1, model: "m", choices, usage }));
    });
    const { origin } = await listen(upstream);
    const h = await startStage({
      models: [model("aggregated", "other")],
      providers: new Map([["other", defineProvider("other", { origin, speaks: ["chatstyle"] })]]),
    });
    expect((await h.call(PATH, { ...body, model: "aggregated" })).status).toBe(200);
    const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 });
    expect(results[0]).toMatchObject({ cost: 20, usage: { upstreamUsd: 0.00123 } });
    // The account sees what it paid, not what we did.
    expect(await (await h.call("/api/compat/v1/usage")).text()).not.toContain("0.00123");
    expect(await h.store.money.audit()).toEqual([]);
    await h.close();
    upstream.close();
  });
});

describe("a provider that repeats the key it was sent", () => {
  it("a key that a provider repeats is hidden from the caller", async () => {
    const upstream = createServer((req, res) => {
      res.writeHead(401, { "content-type": "application/json" });
      res.end(
        JSON.stringify({ error: { message: `Incorrect key: ${req.headers.authorization}`, type: "x" } }),
      );
    });
    const { origin } = await listen(upstream);
    const h = await startStage({
      models: [model("echo", "other")],
      providers: new Map([
        ["other", defineProvider("other", { origin, speaks: ["chatstyle"], key: "house-secret" })],
      ]),
    });
    const response = await h.call(PATH, { ...body, model: "echo" });
    const text = await response.text();
    expect(response.status).toBe(401);
    expect(text).toContain("Incorrect key: Bearer [redacted]");
    await h.close();
    upstream.close();
  });
});
