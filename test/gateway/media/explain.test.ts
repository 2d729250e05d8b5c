import { samples } from "@manifold-gateway/simulator";
import { toUsd } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ADMIN, type Json } from "../../support/caller.ts";
import { KEY } from "../../support/holder.ts";
import { startMediaStage } from "../../support/media.ts";
import type { Stage } from "../../support/stage.ts";

let h: Stage;
/** What was held, in micro-USD. */
const holds: number[] = [];
beforeAll(async () => {
  h = await startMediaStage();
  const create = h.store.jobs.create.bind(h.store.jobs);
  vi.spyOn(h.store.jobs, "create").mockImplementation((job, beside) => {
    if (beside?.reservation) holds.push(beside.reservation.amount);
    return create(job, beside);
  });
});
afterAll(() => h.close());

const content = [{ type: "text", text: "A lighthouse." }];
const png = samples.png(4096, 4096).toString("base64");
const inline = { type: "imageBase64", data: png, mediaType: "image/png" };
const linked = { type: "imageUrl", url: "https://files.example.com/a.png" };

const IMAGES = "/api/v1/image/generations";
const ASYNC = `${IMAGES}/async`;
const VIDEOS = "/api/v1/video/generations";
const SPEECH = "/api/v1/audio/text-to-speech";
const REFERENCE = "/api/v1/audio/generation-with-reference";
const CHAT = "/api/chatstyle/v1/images";
const speech = { voiceType: "en_female_dacey_uranus_bigtts", text: "Hello." };

const rows: [name: string, path: string, body: Json, headers?: Record<string, string>][] = [
  ["a picture", ASYNC, { model: "image", content, size: "1024x1024" }],
  ["a picture that is waited for", IMAGES, { model: "image", content }],
  [
    "several pictures of pictures",
    ASYNC,
    { model: "image", content: [...content, linked], numberOfImages: 3 },
  ],
  ["a picture of bytes", ASYNC, { model: "image", content: [...content, inline] }],
  ["a loss that is told", ASYNC, { model: "image", content, quality: "high" }],
  [
    "a loss that is allowed",
    ASYNC,
    { model: "image", content, quality: "high" },
    { "x-loss-policy": "allow" },
  ],
  [
    "a loss that is refused",
    ASYNC,
    { model: "image", content, quality: "high" },
    { "x-loss-policy": "strict" },
  ],
  ["another wire", IMAGES, { model: "image-chat", content, quality: "low", outputFormat: "webp" }],
  ["a wire that makes one picture a call", ASYNC, { model: "image-generate", content, numberOfImages: 2 }],
  ["what a model does not take", ASYNC, { model: "image-chat", content, guidanceScale: 5 }],
  ["two things that are wrong", ASYNC, { model: "image", content, guidanceScale: 5, outputFormat: "png" }],
  ["a model that nobody knows", ASYNC, { model: "nobody", content }],
  ["a model of another kind", VIDEOS, { model: "image", content }],
  ["a model without a price", ASYNC, { model: "image-unpriced", content }],
  [
    "an asset that is not there",
    ASYNC,
    { model: "image", content: [{ type: "imageAssetId", assetId: "x" }] },
  ],
  ["a private address", VIDEOS, { model: "video", content: [{ ...linked, url: "http://10.0.0.1/a.png" }] }],
  ["a video", VIDEOS, { model: "video", content, duration: 5, resolution: "720p", seed: 7 }],
  [
    "a video of a picture",
    VIDEOS,
    { model: "video", content: [...content, { ...linked, role: "firstFrame" }] },
  ],
  ["a video by a router", VIDEOS, { model: "video-router", content, duration: 5 }],
  ["a video of content", VIDEOS, { model: "video-generate", content, duration: 8 }],
  ["a video that is too long", VIDEOS, { model: "video", content, duration: 500 }],
  ["a reading", SPEECH, { ...speech, speechRate: 10 }],
  ["a voice that is none", SPEECH, { ...speech, voiceType: "nobody" }],
  ["speech by references", REFERENCE, { model: "seed-audio-1.0-multilingual", textPrompt: "Say hello." }],
  ["chat-style pictures", `${CHAT}/generations`, { model: "image-chat", prompt: "A door.", n: 2 }],
  [
    "pictures that are shown half done",
    `${CHAT}/generations`,
    { model: "image-chat", prompt: "A door.", stream: true },
  ],
  [
    "an order of providers",
    `${CHAT}/generations`,
    { model: "image", prompt: "A door.", provider: { ignore: ["mediastyle"] } },
  ],
  ["an edit", `${CHAT}/edits`, { model: "image", prompt: "Blue.", images: [{ image_url: linked.url }] }],
  [
    "a chat-style video",
    "/api/chatstyle/v1/videos",
    { model: "video-router", prompt: "A boat.", seconds: "5" },
  ],
];

const explain = (path: string, body: Json, headers: Record<string, string> = {}) =>
  h.json(path, body, 200, { headers: { ...headers, "x-explain": "true" } });

/** All that a request could leave behind. */
const traces = async () => ({
  calls: h.simulator.ledger.entries.length,
  money: await h.balance(),
  jobs: await h.store.jobs.depth(),
  records: (await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 1 })).total,
  holds: holds.length,
});

/** The record of a generation once it has ended. */
const recordOf = (id: string): Promise<Json> =>
  vi.waitFor(
    async () => {
      const record = await h.store.generations.get({ id, accountId: "acc" });
      expect(record?.status).not.toBe("pending");
      return record;
    },
    { timeout: 10_000, interval: 15 },
  );

describe("explanations beside what happens", () => {
  it.each(rows)("what is explained is what happens: %s", async (_, path, body, headers = {}) => {
    const before = await traces();
    const told = await explain(path, body, headers);
    expect(await traces()).toEqual(before);
    const response = await h.call(path, body, { headers });
    const answer = await response.text();
    if (told.verdict === "refused") {
      expect(response.status).toBe(told.status);
      expect(JSON.parse(answer).errors).toEqual(told.errors);
      expect(h.simulator.ledger.entries).toHaveLength(before.calls);
      return;
    }
    expect(response.ok).toBe(true);
    expect(toUsd(holds.at(-1) ?? -1)).toBe(told.reservation);
    const record = await recordOf(response.headers.get("x-generation-id") ?? "");
    const sent = h.simulator.ledger.entries[before.calls];
    expect(sent?.path).toBe(told.upstream.path);
    // Bytes are cut short where they are told, and nowhere else.
    if (JSON.stringify(body).includes(png)) expect(JSON.stringify(told)).not.toContain(png);
    else expect(told.upstream.body).toEqual(sent?.request);
    expect(record.route.losses ?? []).toEqual(told.losses);
    expect(record.route.entry).toBe(told.entry);
    expect([...told.route.candidates, ...told.route.skipped]).toMatchObject(record.route.candidates);
    expect(JSON.stringify(told)).not.toContain("upstream-secret");
  });

  it("the compared requests include accepted and refused ones", () => {
    expect(holds.length).toBeGreaterThan(12);
    expect(rows.length - holds.length).toBeGreaterThan(6);
  });
});

it("losses stand on the record, also where the caller is not told of them", async () => {
  const body = { model: "image", content, quality: "high" };
  for (const policy of ["warn", "allow"]) {
    const response = await h.call(ASYNC, body, { headers: { "x-loss-policy": policy } });
    const record = await recordOf(response.headers.get("x-generation-id") ?? "");
    expect(record.route).toMatchObject({
      provider: "mediastyle",
      losses: [{ path: "/quality", why: "unsupported" }],
    });
  }
});

describe("explanations of media requests", () => {
  it("an explanation shows a form by its fields, and files by their size", async () => {
    const body = new FormData();
    body.append("model", "image-chat");
    body.append("prompt", "Blue.");
    body.append("image", new Blob([new Uint8Array(samples.png(64, 64))], { type: "image/png" }), "a.png");
    const response = await fetch(`${h.origin}${CHAT}/edits`, {
      method: "POST",
      body,
      headers: { "x-api-key": KEY, "x-admin-key": ADMIN, "x-explain": "true" },
    });
    const { upstream } = (await response.json()) as Json;
    expect(upstream.form.image).toMatch(/^\(image\/png, \d+ bytes\)$/);
    expect(upstream.form).toMatchObject({ prompt: "Blue." });
  });

  it("an explanation says what is fetched first, and how many calls there are", async () => {
    const body = { model: "image-generate", content: [...content, linked], numberOfImages: 2 };
    const { upstream } = await explain(ASYNC, body);
    expect(upstream).toMatchObject({
      calls: 2,
      pending: ["content.1: the file is fetched and sent inline."],
    });
  });

  it("an explanation shows the refusals of an empty balance and of a hold that exceeds it", async () => {
    for (const credit of [0, 100]) {
      const poor = await startMediaStage({ credit });
      const body = { model: "image", content };
      const told = await poor.json(ASYNC, body, 200, { headers: { "x-explain": "true" } });
      expect(told).toMatchObject({ verdict: "refused", status: 403, headroom: { balance: toUsd(credit) } });
      expect((await poor.json(ASYNC, body, 403)).errors).toEqual(told.errors);
      await poor.close();
    }
  });

  it("an explanation shows the refusal of an account at its limit of live jobs", async () => {
    const busy = await startMediaStage({ media: { jobs: { maxLiveJobs: 1 }, runJobs: false } });
    const body = { model: "image", content };
    await busy.json(ASYNC, body, 202);
    const told = await busy.json(ASYNC, body, 200, { headers: { "x-explain": "true" } });
    expect(told).toMatchObject({ verdict: "refused", status: 429 });
    expect((await busy.json(ASYNC, body, 429)).errors).toEqual(told.errors);
    await busy.close();
  });
});
