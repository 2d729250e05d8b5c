import { createCatalog, type Model } from "@manifold-gateway/gateway";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../../support/caller.ts";
import { startMediaStage } from "../../support/media.ts";
import { models } from "../../support/media-models.ts";
import type { Stage } from "../../support/stage.ts";

const IMAGES = "/api/v1/image/generations";
const ask = (model: string) => ({ model, content: [{ type: "text", text: "A lighthouse." }] });
const entryOf = (id: string) =>
  models.find((model) => model.id === id)?.entries[0] as Model["entries"][number];
const two: Model = {
  id: "two",
  inputModalities: ["text"],
  outputModalities: ["image"],
  isActive: true,
  revision: 1,
  entries: [
    { ...entryOf("image"), priority: 1 },
    { ...entryOf("image-chat"), priority: 2 },
  ],
};

let h: Stage;
/** How far the clock is ahead, in milliseconds. */
let ahead = 0;
beforeEach(async () => {
  ahead = 0;
  h = await startMediaStage({
    catalog: createCatalog([...models, two]),
    routing: { circuit: { failures: 1, openFor: 60_000 } },
    now: () => Date.now() + ahead,
    media: { jobs: { tries: 1 } },
  });
});
afterEach(() => h.close());

const fail = (status: number) => h.simulator.script(`[[fault:status=${status}]]`, { protocol: "mediastyle" });
const explain = (model: string): Promise<Json> =>
  h.json(IMAGES, ask(model), 200, { headers: { "x-explain": "true" } });
const open = () => [...h.gateway.health().values()].filter(({ openAccounts }) => openAccounts === 1);

describe("an entry whose provider fails", () => {
  it("a failing entry is passed over by the next request, which is refused where the model has no other", async () => {
    fail(503);
    await h.json(IMAGES, ask("two"), 200);
    expect(open()).toHaveLength(1);
    const told = await explain("two");
    expect(told.route.candidates).toMatchObject([{ provider: "chatstyle" }]);
    expect(told.route.skipped).toMatchObject([{ provider: "mediastyle", why: "circuit_open" }]);
    const response = await h.call(IMAGES, ask("two"));
    expect(response.status).toBe(200);
    const id = response.headers.get("x-generation-id") ?? "";
    const record = await h.store.generations.get({ id, accountId: "acc" });
    expect(record?.route).toMatchObject({ provider: "chatstyle", entry: told.entry });

    fail(503);
    await h.json(IMAGES, ask("image"), 503);
    const calls = h.simulator.ledger.entries.length;
    const { errors } = await h.json(IMAGES, ask("image"), 503);
    expect(errors[0]).toMatch(/^The providers of 'image' are failing\. Try again in \d+ s\.$/);
    expect(await explain("image")).toMatchObject({ verdict: "refused", status: 503 });
    expect(h.simulator.ledger.entries).toHaveLength(calls);
  });

  it("a failing entry is asked again after a while, and used when it answers", async () => {
    fail(503);
    await h.json(IMAGES, ask("image"), 503);
    ahead = 61_000;
    await h.json(IMAGES, ask("image"), 200);
    expect(open()).toHaveLength(0);
    await expect.poll(async () => (await h.balance()).held).toBe(0);
  });

  it.each([429, 503])("a %i with retry-after pauses the entry for that long", async (status) => {
    h.simulator.script(`[[fault:status=${status},retry-after=30]]`, { protocol: "mediastyle" });
    await h.json(IMAGES, ask("image"), 503);
    const cooling = () => [...h.gateway.health().values()].flatMap(({ coolingUntil }) => coolingUntil ?? []);
    expect(cooling()).toHaveLength(1);
    ahead = 31_000;
    expect(cooling()).toHaveLength(0);
  });

  it("an entry is not blamed for failures that the caller caused", async () => {
    fail(400);
    await h.json(IMAGES, ask("image"), 400);
    expect(open()).toHaveLength(0);
    await h.json(IMAGES, ask("image"), 200);
  });

  it("the next request probes an entry where the probing one ended before it was sent", async () => {
    h.simulator.script("[[fault:status=503]]", { protocol: "genstyle" });
    await h.json(IMAGES, ask("image-generate"), 503);
    expect(open()).toHaveLength(1);
    ahead = 61_000;
    const calls = h.simulator.ledger.entries.length;
    const url = `${h.upstream.replace("http:", "https:")}/samples/640x480.png`;
    const unread = { ...ask("image-generate"), content: [...ask("").content, { type: "imageUrl", url }] };
    const { errors } = await h.json(IMAGES, unread, 400);
    expect(errors[0]).toContain("could not be fetched");
    expect(h.simulator.ledger.entries).toHaveLength(calls);
    await h.json(IMAGES, ask("image-generate"), 200);
    expect(open()).toHaveLength(0);
  });
});
