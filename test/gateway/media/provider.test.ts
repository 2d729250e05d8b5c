import { createCatalog, type Model } from "@manifold-gateway/gateway";
import { toUsd } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN, type Json } from "../../support/caller.ts";
import { startMediaStage } from "../../support/media.ts";
import { models } from "../../support/media-models.ts";
import type { Stage } from "../../support/stage.ts";

const entryOf = (id: string) =>
  models.find((model) => model.id === id)?.entries[0] as Model["entries"][number];
const both = (id: string, makes: string, entries: string[]): Model => ({
  id,
  inputModalities: ["text"],
  outputModalities: [makes],
  isActive: true,
  revision: 1,
  entries: entries.map((entry, at) => ({ ...entryOf(entry), priority: at + 1 })),
});
const unpriced = both("half-priced", "image", ["image", "image-chat"]);
unpriced.entries = unpriced.entries.map(({ tiers, price, ...entry }) =>
  entry.provider === "chatstyle" ? { ...entry, ...(tiers && { tiers }), ...(price && { price }) } : entry,
);

let h: Stage;
beforeAll(async () => {
  const pictures = both("pictures", "image", ["image", "image-chat"]);
  const films = both("films", "video", ["video", "video-generate"]);
  const idle = {
    ...pictures,
    id: "idle",
    entries: pictures.entries.map((one) => ({ ...one, isActive: false })),
  };
  h = await startMediaStage({
    catalog: createCatalog([...models, pictures, films, idle, unpriced]),
  });
});
afterAll(() => h.close());

const content = [{ type: "text", text: "A lighthouse." }];
const orders: Record<string, { path: string; body: Json; first: string; second: string }> = {
  "an image": {
    path: "/api/v1/image/generations",
    body: { model: "pictures", content },
    first: "mediastyle",
    second: "chatstyle",
  },
  "an image job": {
    path: "/api/v1/image/generations/async",
    body: { model: "pictures", content },
    first: "mediastyle",
    second: "chatstyle",
  },
  "a chat-style image": {
    path: "/api/chatstyle/v1/images/generations",
    body: { model: "pictures", prompt: "A door." },
    first: "mediastyle",
    second: "chatstyle",
  },
  "a video": {
    path: "/api/v1/video/generations",
    body: { model: "films", content, duration: 8 },
    first: "mediastyle",
    second: "genstyle",
  },
};

const explain = (path: string, body: Json): Promise<Json> =>
  h.json(path, body, 200, { headers: { "x-explain": "true", "x-admin-key": ADMIN } });

describe.each(Object.entries(orders))("the provider object of %s", (_, { path, body, first, second }) => {
  it.each([
    [undefined, first],
    [null, first],
    [{ ignore: [first] }, second],
    [{ only: [second] }, second],
    [{ order: [second] }, second],
    [{ order: [second], allow_fallbacks: false }, second],
    [{ max_price: { prompt: 1_000 } }, first],
  ])("the provider object %j has its entry called", async (provider, expected) => {
    const told = await explain(path, { ...body, provider });
    expect(told.route.candidates[0]).toMatchObject({ provider: expected });
  });

  it.each([
    [{ only: ["nobody"] }, "no_provider", `${first}: not_chosen; ${second}: not_chosen`],
    [{ ignore: [first, second] }, "no_provider", `${first}: ignored; ${second}: ignored`],
    [{ order: "x" }, "invalid_request", "provider.order"],
    [{ sort: "cheap" }, "invalid_request", "provider.sort: must be one of price, latency, throughput"],
    [{ sortt: "price" }, "invalid_request", "Did you mean 'provider.sort'?"],
  ])("the provider object %j is a 400 that says why", async (provider, code, text) => {
    const told = await h.json(path, { ...body, provider }, 400);
    expect(told).toMatchObject({ code, errors: [expect.stringContaining(text)] });
  });

  it("an unknown member of the provider object is reported", async () => {
    const told = await explain(path, { ...body, provider: { zdr: true } });
    expect(told.losses).toContainEqual({ path: "/provider/zdr", why: "unsupported" });
  });
});

it("sort by price takes the cheapest entry, which the record and the charge name", async () => {
  const body = { model: "pictures", content, provider: { sort: "price" } };
  const told = await explain("/api/v1/image/generations", body);
  const response = await h.call("/api/v1/image/generations", body);
  expect(response.status).toBe(200);
  const id = response.headers.get("x-generation-id") ?? "";
  const record = await h.store.generations.get({ id, accountId: "acc" });
  expect(record?.route).toMatchObject({ entry: told.entry, provider: told.route.candidates[0].provider });
  expect(toUsd(record?.cost ?? 0)).toBeLessThanOrEqual(told.cost.most);
});

it("an order of speech takes the provider object too", async () => {
  const body = { voiceType: "en_female_dacey_uranus_bigtts", text: "Hello." };
  const told = await h.json(
    "/api/v1/audio/text-to-speech",
    { ...body, provider: { ignore: ["speechstyle"] } },
    400,
  );
  expect(told).toMatchObject({
    code: "no_provider",
    errors: [expect.stringContaining("speechstyle: ignored")],
  });
});

it("require_parameters refuses a request where something would be left out", async () => {
  const body = { model: "image", content, quality: "high" };
  expect((await explain("/api/v1/image/generations", body)).losses).toHaveLength(1);
  const told = await h.json(
    "/api/v1/image/generations",
    { ...body, provider: { require_parameters: true } },
    400,
  );
  expect(told).toMatchObject({
    code: "unsupported_parameter",
    errors: [expect.stringMatching(/^quality: /)],
  });
});

it("an entry without a price is passed over for one that has a price", async () => {
  const { route } = await explain("/api/v1/image/generations", { model: "half-priced", content });
  expect(route.candidates).toMatchObject([{ provider: "chatstyle" }]);
  expect(route.skipped).toMatchObject([{ provider: "mediastyle", why: "unpriced" }]);
});

it("a model that no entry serves is refused with the reason of each entry", async () => {
  const { code, errors } = await h.json("/api/v1/image/generations", { model: "idle", content }, 400);
  expect(code).toBe("model_inactive");
  expect(errors[0]).toMatch(
    /^model: no active provider serves 'idle' for images \(e\w{10}: inactive; e\w{10}: inactive\)\.$/,
  );
});

describe("a first entry that cannot do the request", () => {
  const path = "/api/v1/image/generations";
  const only = { model: "pictures", content, background: "opaque" };

  it("the next entry is called, at its own price, and the record says why", async () => {
    const told = await explain(path, only);
    expect(told.route).toMatchObject({
      candidates: [{ provider: "chatstyle" }],
      skipped: [{ provider: "mediastyle", why: "refused" }],
    });
    const response = await h.call(path, only);
    expect(response.status).toBe(200);
    const id = response.headers.get("x-generation-id") ?? "";
    const record = await h.store.generations.get({ id, accountId: "acc" });
    expect(record?.route).toMatchObject({ provider: "chatstyle", entry: told.entry });
    const chosen = await explain(path, { ...only, provider: { only: ["chatstyle"] } });
    expect(told.reservation).toBe(chosen.reservation);
    expect(toUsd(record?.cost ?? 0)).toBeLessThanOrEqual(told.reservation);
    expect(await h.store.money.audit()).toEqual([]);
  });

  it("the first refusal is the answer where all entries refuse, and where no other may be called", async () => {
    const told = await explain(path, { ...only, provider: { allow_fallbacks: false } });
    expect(told).toMatchObject({ verdict: "refused", route: { candidates: [] } });
    const alone = await h.json(path, { ...only, provider: { only: ["mediastyle"] } }, 400);
    expect(alone.errors).toEqual(told.errors);
  });
});
