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

const JOBS = "/api/compat/v1/jobs";
const content = [{ type: "text", text: "<b>A boat</b>" }];

it("jobs of all kinds are in one list, each with links to its files", async () => {
  const video = await h.json("/api/v1/video/generations", { model: "video", content });
  await h.json("/api/v1/image/generations", { model: "image", content });
  const all = await h.json(JOBS);
  expect(all.results.map(({ kind }: Json) => kind).sort()).toEqual(["image", "video"]);
  expect([all.total, all.offset, all.limit]).toEqual([2, 0, 20]);
  const ended = await h.json(`${JOBS}?state=ended&kind=image`);
  expect(ended.results).toEqual([
    expect.objectContaining({
      kind: "image",
      status: "succeeded",
      isExpired: false,
      outputs: [expect.objectContaining({ mediaType: expect.stringMatching(/^image\//) })],
    }),
  ]);
  const [{ downloadUrl }] = ended.results[0].outputs;
  expect(downloadUrl).toMatch(/\/api\/objects\//);
  expect(JSON.stringify(ended)).not.toContain('"key"');
  const one = await h.json(`${JOBS}/${video.generationId}`);
  expect(one).toMatchObject({ kind: "video", taskId: video.taskId, content });
});

it("one account's jobs are hidden from another, and a refused query says what is allowed", async () => {
  const { generationId } = await h.json("/api/v1/video/generations", { model: "video", content });
  const headers = { "x-api-key": OTHER_KEY };
  await h.json(`${JOBS}/${generationId}`, undefined, 404, { headers });
  expect((await h.json(JOBS, undefined, 200, { headers })).results).toEqual([]);
  const { errors } = await h.json(`${JOBS}?kind=asset`, undefined, 400);
  expect(errors[0]).toMatch(/^kind: /);
});

it("the price of a model is shown beside its capabilities", async () => {
  const one = await h.json("/api/v1/ai/models/image-pro");
  expect(one.pricing).toMatchObject({
    currency: "USD",
    tiers: [{ when: { pixels: { upTo: 2_360_000 } }, perImage: 0.045 }, { perImage: 0.09 }],
  });
});
