import { createCatalog, type Model } from "@manifold-gateway/gateway";
import { imageModels } from "@manifold-gateway/providers";
import { costOf, type Price, toUsd } from "@manifold-gateway/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ADMIN, type Json } from "../../support/caller.ts";
import { startMediaStage } from "../../support/media.ts";
import { models } from "../../support/media-models.ts";
import type { Stage } from "../../support/stage.ts";

const IMAGES = "/api/v1/image/generations";
const CHAT = "/api/chatstyle/v1/images/generations";
const ask = (more: object = {}) => ({
  ...{ model: "two", content: [{ type: "text", text: "A lighthouse." }] },
  ...more,
});
const entryOf = (id: string) =>
  models.find((model) => model.id === id)?.entries[0] as Model["entries"][number];
const { capabilities: _, ...lenient } = entryOf("image-chat");
/** A model whose second entry costs otherwise, and cannot be told all that the first can. */
const two: Model = {
  ...{ id: "two", inputModalities: ["text"], outputModalities: ["image"], isActive: true, revision: 1 },
  entries: [
    { ...entryOf("image-guided"), priority: 1 },
    { ...lenient, priority: 2 },
  ],
};
const films: Model = {
  ...{ ...two, id: "films", outputModalities: ["video"] },
  entries: [
    { ...entryOf("video"), priority: 1 },
    { ...entryOf("video-generate"), priority: 2 },
  ],
};

let h: Stage;
let ahead = 0;
beforeEach(async () => {
  ahead = 0;
  h = await startMediaStage({
    catalog: createCatalog([...models, two, films]),
    routing: { circuit: { failures: 1, openFor: 60_000 } },
    now: () => Date.now() + ahead,
    media: { jobs: { tries: 1 } },
    severalKeys: ["chatstyle"],
  });
});
afterEach(() => h.close());

const fail = (status: number, protocol = "mediastyle") =>
  h.simulator.script(`[[fault:status=${status}]]`, { protocol });
const explain = (path: string, body: object): Promise<Json> =>
  h.json(path, body, 200, { headers: { "x-explain": "true" } });
const recordOf = async (response: Response) => {
  const id = response.headers.get("x-generation-id") ?? "";
  return (await h.store.generations.get({ id, accountId: "acc" })) as Json;
};

describe("media work whose first entry refuses it", () => {
  it.each([
    [IMAGES, ask()],
    [CHAT, { model: "two", prompt: "A lighthouse." }],
  ])(
    "work that the first entry refuses is done by the second, and charged at its price: %s",
    async (path, body) => {
      fail(429);
      const response = await h.call(path, body);
      expect(response.status).toBe(200);
      const record = await recordOf(response);
      const { wire } = imageModels["gpt-image-1.5"] as { wire: string };
      expect(record.route).toMatchObject({
        ...{ provider: wire, protocol: "chatstyle" },
        attempts: [
          { provider: "mediastyle", status: 429 },
          { provider: "chatstyle", status: 200 },
        ],
      });
      expect(record.route.candidates.slice(0, 2)).toMatchObject([
        { provider: "mediastyle" },
        { provider: "chatstyle" },
      ]);
      expect(record.cost).toBe(costOf(record.usage, record.price as Price));
      expect(record.cost).toBeGreaterThan(0);
      expect(await h.balance()).toEqual({ balance: 1e12 - record.cost, held: 0 });
      expect(await h.store.money.audit()).toEqual([]);
    },
  );

  it("the losses of the entry that did the work are reported and recorded", async () => {
    const body = ask({ guidanceScale: 4 });
    const first = await h.call(IMAGES, body);
    expect(first.headers.get("x-losses")).toBeNull();
    expect((await recordOf(first)).route).not.toHaveProperty("losses");
    fail(429);
    const second = await h.call(IMAGES, body);
    expect(second.headers.get("x-losses")).toBe("/guidanceScale;unsupported");
    expect((await recordOf(second)).route.losses).toEqual([{ path: "/guidanceScale", why: "unsupported" }]);
  });

  it("the hold of the work is at the price of the first entry, as estimate and explanation say", async () => {
    const body = { model: "films", content: ask().content, duration: 8 };
    const estimate = (await h.json("/api/v1/video/estimate", body)).data.estimatedUserCost;
    const told = await explain("/api/v1/video/generations", body);
    expect(told.reservation).toBe(estimate);
    expect(told.route.candidates).toMatchObject([{ provider: "mediastyle" }, { provider: "genstyle" }]);
    const { held: before } = await h.balance();
    const response = await h.call("/api/v1/video/generations", body);
    expect(response.status).toBe(200);
    expect(toUsd((await h.balance()).held - before)).toBe(estimate);
  });

  it("a video that the first provider refuses is made at the second, which its task names", async () => {
    fail(503);
    const body = { model: "films", content: ask().content, duration: 8 };
    const task = await h.json("/api/v1/video/generations", body);
    expect(task.providerId).toBe("genstyle");
    const done = await h.until(`/api/v1/video/tasks/${encodeURIComponent(task.taskId)}`, ({ status }) =>
      ["succeeded", "failed"].includes(status),
    );
    expect(done).toMatchObject({ status: "succeeded", providerId: "genstyle" });
    expect(await h.store.money.audit()).toEqual([]);
  });

  it.each([
    [{ allow_fallbacks: false }, 503],
    [{ only: ["mediastyle"] }, 503],
    [{ order: ["mediastyle"], allow_fallbacks: false }, 503],
  ])("refused work is not sent to another entry where the caller says so: %j", async (provider, status) => {
    fail(429);
    await h.json(IMAGES, ask({ provider }), status);
    expect(h.simulator.ledger.entries.filter(({ protocol }) => protocol === "chatstyle")).toEqual([]);
    expect(await h.balance()).toEqual({ balance: 1e12, held: 0 });
  });

  it.each([500, 400])(
    "work is not sent to another entry after a %i, and nothing is charged",
    async (status) => {
      fail(status);
      const response = await h.call(IMAGES, ask());
      expect(response.status).toBe(status === 400 ? 400 : 502);
      const record = await recordOf(response);
      expect(record).toMatchObject({ status: "failed", cost: 0, route: { attempts: [{ status }] } });
      expect(await h.balance()).toEqual({ balance: 1e12, held: 0 });
    },
  );
});

it("work that one of several credentials is refused is done with another, and the entry stays well", async () => {
  fail(401, "chatstyle");
  const response = await h.call(CHAT, { model: "image-chat", prompt: "A lighthouse." });
  expect(response.status).toBe(200);
  const { attempts } = (await recordOf(response)).route;
  expect(attempts).toMatchObject([{ status: 401 }, { status: 200 }]);
  const [refused, accepted] = attempts.map(({ credential }: Json) => credential);
  expect([refused, accepted].sort()).toEqual(["1", "2"]);
  const state = await h.json("/api/admin/state", undefined, 200, { headers: { "x-admin-key": ADMIN } });
  const { credentials, entries } = state.providers.find(({ id }: Json) => id === "chatstyle");
  expect(credentials).toContainEqual(expect.objectContaining({ name: refused, state: "denied" }));
  expect(credentials).toContainEqual(expect.objectContaining({ name: accepted, state: "ready" }));
  for (const entry of entries) expect(entry).toMatchObject({ circuit: "closed", failures: 0 });
});

it("an entry that another request is just probing is passed over, and the record says so", async () => {
  fail(503);
  await h.json(IMAGES, ask({ provider: { allow_fallbacks: false } }), 503);
  ahead = 61_000;
  h.simulator.script("[[fault:delay=300]]", { protocol: "mediastyle" });
  const [probe, other] = await Promise.all([h.call(IMAGES, ask()), h.call(IMAGES, ask())]);
  expect([probe.status, other.status]).toEqual([200, 200]);
  const routes = [(await recordOf(probe)).route, (await recordOf(other)).route];
  expect(routes.map(({ provider }) => provider).sort()).toEqual(["chatstyle", "mediastyle"]);
  const passed = routes.find(({ provider }) => provider === "chatstyle");
  // As the entries were chosen, or as the work was begun: whichever of the two was quicker.
  const reasons = [...passed.candidates, ...passed.attempts].map(({ why, fault }) => why ?? fault);
  expect(reasons).toContain("circuit_open");
});
