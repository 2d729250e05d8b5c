import { afterAll, beforeAll, expect, it } from "vitest";
import type { Json } from "../../support/caller.ts";
import { OTHER_KEY } from "../../support/holder.ts";
import { startMediaStage } from "../../support/media.ts";
import type { Stage } from "../../support/stage.ts";

let h: Stage;
beforeAll(async () => {
  h = await startMediaStage();
});
afterAll(() => h.close());

it("the list shows media models with their capabilities and prices", async () => {
  const { data } = await h.json("/api/chatstyle/v1/models");
  const byId = new Map<string, Json>(data.map((model: Json) => [model.id, model]));
  expect(byId.get("image")).toMatchObject({
    outputModalities: ["image"],
    capabilities: { image: { params: { numberOfImages: { type: "int", min: 1, max: 15 } } } },
    imagePricing: { currency: "USD", tiers: [{ perImage: 0.03 }] },
  });
  expect(byId.get("image-pro")?.imagePricing.tiers).toEqual([
    { when: { pixels: { upTo: 2_360_000 } }, perImage: 0.045 },
    { perImage: 0.09 },
  ]);
  expect(byId.get("video")?.videoPricing.tiers).toContainEqual({ output: 7 });
  expect(byId.get("seed-tts-2.0")?.audioPricing).toMatchObject({ characters: 15 });
  expect(byId.get("embed-media")?.embeddingPricing).toMatchObject({ input: 0.2, imageInput: 0.45 });
});

it("native models can be found by their outputs, with the bounds that requests are held to", async () => {
  const videos: Json[] = await h.json("/api/v1/ai/models?outputModalities=video");
  expect(videos.map(({ modelId }) => modelId)).toContain("video");
  expect(videos.map(({ modelId }) => modelId)).not.toContain("image");
  const one = await h.json("/api/v1/ai/models/video");
  expect(one.capabilities.video.params.duration).toEqual({ type: "int", min: 4, max: 15, default: 5 });
});

it("a list of videos continues behind a named one, and never behind another account's", async () => {
  const path = "/api/chatstyle/v1/videos";
  const order = { model: "video-router", prompt: "A paper boat.", seconds: "5" };
  const made: string[] = [];
  for (let turn = 0; turn < 5; turn++) made.unshift((await h.json(path, order)).id);
  const seen: string[] = [];
  for (let more = true; more; ) {
    const page = await h.json(`${path}?limit=2${seen.length > 0 ? `&after=${seen.at(-1)}` : ""}`);
    seen.push(...page.data.map(({ id }: Json) => id));
    more = page.has_more;
    expect(more).toBe(seen.length < made.length);
    expect(page.last_id).toBe(seen.at(-1));
  }
  expect([...seen].sort()).toEqual([...made].sort());
  expect(new Set(seen).size).toBe(made.length);
  expect((await h.json(`${path}?after=${seen.at(-1)}`)).data).toEqual([]);
  const unknown = await h.json(`${path}?after=nothing`, undefined, 404);
  expect(JSON.stringify(unknown)).toContain("after: there is no video job 'nothing'.");
  const headers = { "x-api-key": OTHER_KEY };
  await h.json(`${path}?after=${made[0]}`, undefined, 404, { headers });
});

it("a deleted video has no file any more, and its record stays; a running one is cancelled", async () => {
  const path = "/api/chatstyle/v1/videos";
  const order = { model: "video-router", prompt: "A paper boat.", seconds: "5" };
  const { id } = await h.json(path, order);
  await h.until(`${path}/${id}`, ({ status }) => status === "completed");
  expect((await h.call(`${path}/${id}/content`)).status).toBe(200);
  const others = { "x-api-key": OTHER_KEY };
  await h.json(`${path}/${id}`, undefined, 404, { method: "DELETE", headers: others });
  for (const _ of ["once", "again"])
    expect(await h.json(`${path}/${id}`, undefined, 200, { method: "DELETE" })).toEqual({
      id,
      object: "video.deleted",
      deleted: true,
    });
  expect((await h.call(`${path}/${id}/content`)).status).toBe(404);
  const task = await h.json(`/api/v1/video/tasks/${id}`);
  expect(task).toMatchObject({ status: "succeeded" });
  expect(task).not.toHaveProperty("downloadUrl");
  const { results } = await h.store.assets.list({ accountId: "acc" }, { offset: 0, limit: 100 });
  expect(results.map(({ jobId }) => jobId)).not.toContain(task.generationId);

  const slow = { ...order, prompt: "[[outcome:queued=100]] A paper boat." };
  const running = await h.json(path, slow);
  await h.json(`${path}/${running.id}`, undefined, 200, { method: "DELETE" });
  await h.json(`${path}/nothing`, undefined, 404, { method: "DELETE" });
});
