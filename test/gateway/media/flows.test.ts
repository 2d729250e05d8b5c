import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../../support/caller.ts";
import { OTHER_KEY } from "../../support/holder.ts";
import { startMediaStage } from "../../support/media.ts";
import type { Stage } from "../../support/stage.ts";

let h: Stage;
beforeAll(async () => {
  h = await startMediaStage();
});
afterAll(() => h.close());
beforeEach(() => h.simulator.reset());

const text = (words: string) => [{ type: "text", text: words }];
const ended = ({ status }: Json): boolean => status === "succeeded" || status === "failed";
const startOf = async (url: string): Promise<string> => {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer())
    .subarray(0, 12)
    .toString("latin1");
};

describe("images", () => {
  it("images are ordered, read, archived, linked and charged", async () => {
    const before = await h.balance();
    const body = { model: "image", content: text("A lighthouse."), size: "1024x1024", numberOfImages: 2 };
    const { generationId } = await h.json("/api/v1/image/generations/async", body, 202);
    const job = await h.until(`/api/v1/image/generations/async/${generationId}`, ended);
    expect(job).toMatchObject({
      status: "succeeded",
      generationId,
      result: { usage: { generatedImages: 2 } },
    });
    expect(job.result.images).toHaveLength(2);
    for (const { downloadUrl, assetId } of job.result.images) {
      expect(assetId).toMatch(/./);
      expect(await startOf(downloadUrl)).toMatch(/^\xff\xd8\xff/);
    }
    const after = await h.balance();
    expect(after).toEqual({ balance: before.balance - 60_000, held: 0 });
    const usage = await h.json("/api/compat/v1/usage?limit=1");
    expect(usage.results[0]).toMatchObject({ id: generationId, modality: "image", usdCost: 0.06 });
  });

  it("images come at once where the caller waits, and can be named in later requests", async () => {
    const first = await h.json("/api/v1/image/generations", { model: "image", content: text("A tree.") });
    const [{ assetId }] = first.images;
    const content = [...text("The same in winter."), { type: "imageAssetId", assetId }];
    const second = await h.json("/api/v1/image/generations", { model: "image", content });
    expect(second.images).toHaveLength(1);
    const refused = await h.json("/api/v1/image/generations", { model: "image", content }, 400, {
      headers: { "x-api-key": OTHER_KEY },
    });
    expect(refused.errors[0]).toMatch(/content\.1\.assetId: .*image/);
  });

  it.each(["image-chat", "image-generate", "image-pro"])("images are made by %s", async (model) => {
    const { images } = await h.json("/api/v1/image/generations", { model, content: text("A door.") });
    expect(await startOf(images[0].downloadUrl)).toMatch(/PNG|^\xff\xd8\xff/);
  });

  it("images come in the content of models that generate them, charged by their counts", async () => {
    const before = await h.balance();
    const body = {
      contents: [{ role: "user", parts: [{ text: "A door." }] }],
      generationConfig: { responseModalities: ["IMAGE"] },
    };
    const reply = await h.json("/api/genstyle/v1beta/models/image-generate:generateContent", body);
    const part = reply.candidates[0].content.parts.find(({ inlineData }: Json) => inlineData);
    expect(part.inlineData.mimeType).toMatch(/^image/);
    const spent = before.balance - (await h.balance()).balance;
    expect(spent).toBe(Math.ceil(reply.usageMetadata.candidatesTokenCount * 60));
  });

  it("images have their bytes inline where the caller asks for that", async () => {
    const body = { model: "image", content: text("A door."), responseFormat: "b64_json" };
    const { images } = await h.json("/api/v1/image/generations", body);
    expect(Buffer.from(images[0].b64, "base64").subarray(0, 2).toString("hex")).toBe("ffd8");
  });
});

describe("videos", () => {
  it("videos reserve what their estimate says, and are charged for what was made", async () => {
    const body = {
      model: "video",
      content: text("A boat. [[outcome:queued=1,running=2]]"),
      duration: 5,
      resolution: "720p",
    };
    const before = await h.balance();
    const estimate = await h.json("/api/v1/video/estimate", body);
    expect(estimate).toMatchObject({ success: true, status: 200, data: { currency: "USD" } });
    const task = await h.json("/api/v1/video/generations", body);
    expect(task).toMatchObject({ model: "video", content: body.content, providerId: "mediastyle" });
    const { held } = await h.balance();
    expect(held - before.held).toBe(Math.round(estimate.data.estimatedUserCost * 1e6));
    const done = await h.until(`/api/v1/video/tasks/${task.taskId}`, ended);
    expect(done).toMatchObject({ status: "succeeded", generationId: task.generationId });
    expect(await startOf(done.downloadUrl)).toContain("ftyp");
    const after = await h.balance();
    expect(after.held).toBe(0);
    expect(after.balance).toBeLessThan(before.balance);
  });

  it("failed videos give their hold back and say why", async () => {
    const before = await h.balance();
    const body = { model: "video", content: text("A boat. [[outcome:fail=moderation]]") };
    const task = await h.json("/api/v1/video/generations", body);
    const done = await h.until(`/api/v1/video/tasks/${task.taskId}`, ended);
    expect(done.status).toBe("failed");
    expect(done.error).toMatch(/./);
    expect(await h.balance()).toEqual(before);
    expect(done.content).toEqual(body.content);
    await h.store.contents.sweep(Date.now() + 31 * 24 * 3_600_000);
    expect(await h.json(`/api/v1/video/tasks/${task.taskId}`)).toMatchObject({
      content: [],
      contentKept: false,
    });
  });

  it("videos are visible to their owner only", async () => {
    const task = await h.json("/api/v1/video/generations", { model: "video", content: text("A boat.") });
    const init = { headers: { "x-api-key": OTHER_KEY } };
    await h.json(`/api/v1/video/tasks/${task.taskId}`, undefined, 404, init);
    await h.json(`/api/chatstyle/v1/videos/${task.taskId}`, undefined, 404, init);
  });

  it.each(["video-generate", "video-silent", "video-router"])("videos are made by %s", async (model) => {
    const task = await h.json("/api/v1/video/generations", { model, content: text("A boat.") });
    const done = await h.until(`/api/v1/video/tasks/${task.taskId}`, ended);
    expect(done.status).toBe("succeeded");
    expect(await startOf(done.downloadUrl)).toContain("ftyp");
    // Where the provider's own address opens with its key only, ours stands for it.
    expect(await startOf(done.videoUrl)).toContain("ftyp");
    expect(done.usage.durationSeconds).toBeGreaterThan(0);
  });
});

describe("speech", () => {
  it.each([
    ["mp3", /^(ID3|\xff)/],
    ["ogg_opus", /^OggS/],
    ["pcm", /^.{12}/s],
  ])("speech is read as %s", async (format, start) => {
    const body = { voiceType: "en_female_dacey_uranus_bigtts", text: "One, two, three.", format };
    const { generationId } = await h.json("/api/v1/audio/text-to-speech", body, 202);
    const job = await h.until(`/api/v1/audio/generations/${generationId}`, ended);
    expect(job).toMatchObject({ status: "succeeded", product: "text-to-speech" });
    expect(await startOf(job.audioUrl)).toMatch(start);
    const usage = await h.json("/api/compat/v1/usage?limit=1");
    expect(usage.results[0]).toMatchObject({
      modality: "audio",
      model: "seed-tts-2.0",
      usdCost: 16 * 0.000015,
    });
  });

  it("speech is generated with references, with a subtitle", async () => {
    const body = {
      model: "seed-audio-1.0-multilingual",
      textPrompt: "As @Audio1: good morning.",
      references: [{ speaker: "en_female_dacey_uranus_bigtts" }],
      format: "wav",
      enableSubtitle: true,
    };
    const { generationId } = await h.json("/api/v1/audio/generation-with-reference", body, 202);
    const job = await h.until(`/api/v1/audio/generations/${generationId}`, ended);
    expect(job).toMatchObject({ status: "succeeded", product: "generation-with-reference" });
    expect(job.durationSeconds).toBeGreaterThan(0);
    expect(job.originalDurationSeconds).toBeGreaterThan(0);
    expect(job.subtitle.text).toMatch(/./);
    expect(job.providerUrl).toMatch(/^http/);
    expect(await startOf(job.audioUrl)).toMatch(/^RIFF/);
  });

  it("speech is listed once it has ended", async () => {
    const body = { voiceType: "en_female_dacey_uranus_bigtts", text: "Hello." };
    const { generationId } = await h.json("/api/v1/audio/text-to-speech", body, 202);
    await h.until(`/api/v1/audio/generations/${generationId}`, ended);
    const { results } = await h.json("/api/v1/audio/generations?limit=1");
    expect(results).toMatchObject([{ generationId, status: "succeeded" }]);
    expect(await h.json("/api/v1/audio/generations/pending")).toMatchObject({ results: [], total: 0 });
  });
});
