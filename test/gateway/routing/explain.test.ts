import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Billing } from "@manifold-gateway/gateway";
import { toUsd } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { amountOf } from "../../../packages/gateway/src/billing/amounts.ts";
import { storeBilling } from "../../../packages/gateway/src/billing/store-billing.ts";
import type { Opening } from "../../../packages/gateway/src/ports/billing.ts";
import { CHAT, model, modelOf, PROTOCOLS } from "../../support/text.ts";
import { upstreams } from "../../support/wires/index.ts";
import { type Desk, say, startDesk } from "./desk.ts";

const PATHS: Record<string, (model: string) => string> = {
  chatstyle: () => CHAT,
  responses: () => "/api/chatstyle/v1/responses",
  msgstyle: () => "/api/msgstyle/v1/messages",
  genstyle: (model) => `/api/genstyle/v1beta/models/${model}:generateContent`,
  native: () => "/api/v1/text/completions",
};
const requests = Object.keys(PATHS).flatMap((wire) => {
  const folder = resolve(import.meta.dirname, `../../../packages/testing/fixtures/${wire}/requests`);
  return readdirSync(folder).map((file) => ({
    wire,
    name: `${wire}/${file}`,
    value: JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<string, unknown>,
  }));
});

let desk: Desk;
const held: Opening[] = [];
beforeAll(async () => {
  let inner: Billing | undefined;
  const billing: Billing = {
    async hold(opening) {
      held.push(opening);
      return (inner as Billing).hold(opening);
    },
    headroom: async (opening) => (inner as Required<Billing>).headroom(opening),
  };
  desk = await startDesk(Object.fromEntries(PROTOCOLS.map((protocol) => [protocol, { protocol }])), {
    models: PROTOCOLS.map((protocol) => model(modelOf(protocol), protocol)),
    billing,
  });
  inner = storeBilling(desk.store, { policy: "threshold", now: Date.now });
});
afterAll(() => desk.close());

/** What the simulators were sent, all of them together. */
const sent = () => Object.values(desk.parties).flatMap(({ ledger }) => ledger.entries);

type Explained = Record<string, unknown> & {
  verdict: string;
  errors: string[];
  losses: { path: string; why: string }[];
  upstream: { path: string; body: unknown };
};

describe.each(PROTOCOLS)("explanations beside what happens, with an upstream of %s", (upstream) => {
  it.each(requests)("what is explained is what happens: $name", async ({ wire, value }) => {
    const id = modelOf(upstream);
    const path = (PATHS[wire] as (model: string) => string)(id);
    const body = wire === "genstyle" ? value : { ...value, model: id };
    const before = { calls: sent().length, balance: await desk.balance() };
    const asked = await desk.call(path, body, { headers: { "x-explain": "true" } });
    const explained = (await asked.json()) as Explained;
    expect(sent()).toHaveLength(before.calls);
    expect(await desk.balance()).toEqual(before.balance);

    const response = await desk.call(path, body);
    await response.text();
    await desk.settled();
    const call = sent()[before.calls];
    if (asked.status !== 200) {
      // What no model could be asked is refused as it would be.
      expect(response.status).toBe(asked.status);
      expect(call).toBeUndefined();
      return;
    }
    expect(explained.verdict).toBe(call ? "accepted" : "refused");
    if (!call) {
      expect(response.status).toBe(explained.status);
      return;
    }
    expect(toUsd(amountOf(held.at(-1) as Opening))).toBe(explained.reservation);
    expect(call.request).toEqual(explained.upstream.body);
    expect(call.path).toBe(explained.upstream.path);
    expect(response.headers.get("x-entry")).toBe(explained.entry);
    expect(response.headers.get("x-translation")).toBe(explained.translation);
    const record = await desk.record(response.headers.get("x-generation-id"));
    const route = record.route as { losses?: object[]; candidates: object[] };
    expect(route.losses ?? []).toEqual(explained.losses);
    expect((explained.route as { candidates: object[] }).candidates).toMatchObject(route.candidates);
    expect(JSON.stringify(explained)).not.toContain("key-of-");
  });
});

it("most of the compared requests are served", () => {
  expect(held.length).toBeGreaterThan(requests.length * 2);
});

describe("explanations of routing", () => {
  const explain = async (body: object, init: RequestInit = {}, path = CHAT) => {
    const response = await desk.call(path, body, {
      ...init,
      headers: { "x-explain": "true", ...init.headers },
    });
    return { status: response.status, body: await response.json() };
  };

  it("an explanation lists every entry, and why one is not called", async () => {
    const { body } = await explain(
      say("hi", { provider: { ignore: ["responses"], max_price: { prompt: 5 } } }),
    );
    const { candidates, skipped } = body.route;
    expect(candidates.map(({ provider }: { provider: string }) => provider)).toEqual(
      upstreams.filter((name) => name !== "responses"),
    );
    expect(skipped).toEqual([expect.objectContaining({ provider: "responses", why: "ignored" })]);
  });

  it("an explanation shows the refusal of an empty balance with a good status", async () => {
    const poor = await startDesk({ a: {} }, { credit: 0 } as never);
    const response = await poor.call(CHAT, say("hi"), { headers: { "x-explain": "true" } });
    expect(await response.json()).toMatchObject({
      verdict: "refused",
      status: 403,
      headroom: { balance: 0 },
    });
    expect((await poor.call(CHAT, say("hi"))).status).toBe(403);
    await poor.close();
  });

  it("an explanation shows the headroom under a cap, and the refusal of one that is reached", async () => {
    const capped = await startDesk({ a: {} });
    await capped.store.keys.change({ accountId: "acc", id: "key" }, { caps: { daily: 5_000_000, total: 0 } });
    const response = await capped.call(CHAT, say("hi"), { headers: { "x-explain": "true" } });
    expect(await response.json()).toMatchObject({
      verdict: "refused",
      status: 429,
      headroom: { caps: { daily: { limit: 5, spent: 0, remaining: 5 }, total: { remaining: 0 } } },
    });
    await capped.close();
  });

  it("an explanation is refused for an invalid option", async () => {
    expect(await explain(say("hi"), { headers: { "x-explain": "yes" } })).toMatchObject({ status: 400 });
  });

  it("an explanation is not stored under an Idempotency-Key", async () => {
    const headers = { "idempotency-key": "explained-once" };
    await explain(say("hi"), { headers });
    const response = await desk.call(CHAT, say("hi"), { headers });
    expect(response.headers.get("idempotency-replayed")).toBeNull();
    expect((await response.json()).choices).toHaveLength(1);
  });
});

it("an explanation for a key shows nothing of providers, their model names and what is sent", async () => {
  const headers = { "x-explain": "true", "x-admin-key": "" };
  const response = await desk.call(CHAT, say("Hello", { model: modelOf("msgstyle") }), { headers });
  const told = await response.json();
  expect(told).toMatchObject({
    verdict: "accepted",
    model: modelOf("msgstyle"),
    reservation: expect.any(Number),
  });
  expect(told).not.toHaveProperty("upstream");
  expect(told.route.candidates).toEqual([{ entry: expect.any(String), protocol: "msgstyle" }]);
});
