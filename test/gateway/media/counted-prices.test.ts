import { createCatalog, type Model } from "@manifold-gateway/gateway";
import { defineProvider, imageModels, videoModels } from "@manifold-gateway/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { estimateImage, imageMeterFor } from "../../../packages/core/src/operations/image/estimate.ts";
import { estimateVideo, videoMeterFor } from "../../../packages/core/src/operations/video/estimate.ts";
import { samples } from "../../../packages/simulator/src/samples/index.ts";
import { type Listening, listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";

const png = samples.png(64, 64);
const film = samples.mp4({ w: 64, h: 64, seconds: 5, fps: 24 });

const made = (id: string, output: string, price: object): Model => ({
  id,
  inputModalities: ["text"],
  outputModalities: [output],
  isActive: true,
  revision: 1,
  entries: [{ provider: "quiet", name: id, priority: 1, isActive: true, price }],
});

const MILLION = 1_000_000;
const models = [
  made("picture", "image", { input: 5 * MILLION, output: 40 * MILLION }),
  made("picture-part", "image", { imageOutput: 40 * MILLION }),
  made("picture-characters", "image", { characters: 15 * MILLION }),
  made("picture-free", "image", {}),
  made("film", "video", { output: 5 * MILLION }),
  made("film-images", "video", { images: 40_000 * MILLION }),
  made("seed-tts-1.0", "audio", { input: MILLION, output: 12 * MILLION }),
  made("seed-tts-2.0", "audio", { audioOutput: 12 * MILLION }),
  made("said", "audio", { input: MILLION, audioOutput: 12 * MILLION }),
];

/** A provider that makes everything and reports no usage. */
let provider: Listening;
let h: Stage;
beforeAll(async () => {
  provider = await listen((request, response) => {
    request.resume();
    const { url = "" } = request;
    if (url.endsWith("/speech"))
      return void response.setHeader("content-type", "audio/mpeg").end(samples.mp3(2));
    if (url.includes("/content")) return void response.end(film);
    response.setHeader("content-type", "application/json");
    const body = url.includes("/videos")
      ? { id: "job", polling_url: "/api/v1/videos/job", status: "completed" }
      : { created: 1, data: [{ b64_json: Buffer.from(png).toString("base64") }] };
    response.end(JSON.stringify(body));
  });
  const serves = { image: "chatstyle", video: "routerstyle", speech: "chatstyle" } as const;
  h = await startStage({
    catalog: createCatalog(models),
    providers: new Map([
      [
        "quiet",
        defineProvider("quiet", { origin: provider.origin, speaks: ["chatstyle"], serves, key: "k" }),
      ],
    ]),
    media: {},
  });
});
afterAll(async () => {
  await h.close();
  await provider.close();
});

const words = [{ type: "text", text: "A lighthouse." }];
const recordOf = (id: string) => h.store.generations.get({ id, accountId: "acc" });

/** A request's hold, as it is explained, and its record at the end. */
async function run(path: string, body: object) {
  const explained = await h.json(path, body, 200, { headers: { "x-explain": "true" } });
  const response = await h.call(path, body);
  const id = response.headers.get("x-generation-id") ?? "";
  await h.settled();
  return { explained, record: await recordOf(id) };
}

describe("work whose provider reports no usage", () => {
  it.each([
    ["/api/v1/image/generations", { model: "picture", content: words }],
    ["/api/chatstyle/v1/images/generations", { model: "picture", prompt: "A lighthouse.", n: 2 }],
    ["/api/v1/image/generations", { model: "picture-part", content: words, size: "2048x2048" }],
    ["/api/v1/video/generations", { model: "film", content: words, duration: 5, resolution: "720p" }],
    ["/api/v1/audio/text-to-speech", { text: "Good morning.", voiceType: "zh_female_vv_uranus_bigtts" }],
    ["/api/chatstyle/v1/audio/speech", { model: "said", input: "Good morning.", voice: "alloy" }],
  ])("a price by the token holds and charges an estimate: %s %j", async (path, body) => {
    const { explained, record } = await run(path, body);
    expect(record).toMatchObject({ status: "succeeded", usage: { estimated: true } });
    expect(record?.cost).toBeGreaterThan(0);
    expect(Math.round(explained.reservation * MILLION)).toBeGreaterThanOrEqual(record?.cost ?? Infinity);
  });

  it("free models stay free", async () => {
    const { record } = await run("/api/v1/image/generations", { model: "picture-free", content: words });
    expect(record).toMatchObject({ status: "succeeded", cost: 0 });
  });
});

describe("a price that counts nothing of the work", () => {
  it.each<[string, { model: string; content: object }, string, string]>([
    ["/api/v1/image/generations", { model: "picture-characters", content: words }, "characters", "images"],
    ["/api/v1/video/generations", { model: "film-images", content: words }, "images", "seconds"],
  ])("the model is not sold, and the refusal says what can be counted: %s", async (path, body, has, can) => {
    const { errors } = await h.json(path, body, 400);
    expect(errors[0]).toContain(`no price is configured for '${body.model}'`);
    expect(errors[0]).toContain(`its price is for ${has}, and`);
    expect(errors[0]).toContain(can);
  });

  it("a model of pictures is not given away in a conversation", async () => {
    const body = { model: "picture-characters", messages: [{ role: "user", content: "A lighthouse." }] };
    expect((await h.call("/api/chatstyle/v1/chat/completions", body)).status).toBe(400);
  });
});

describe("the meters of models that have none", () => {
  const tokens = { output: 1 };
  it.each(Object.entries(imageModels).filter(([, { meter }]) => meter.by === "tokens"))(
    "a picture counts no fewer tokens than one of %s",
    (_, { meter }) => {
      for (const size of [undefined, "1024x1024", "2048x2048"]) {
        const ask = { model: "m", prompt: "p", images: [], ...(size && { size }) };
        const known = estimateImage(ask, meter).output;
        expect(estimateImage(ask, imageMeterFor(tokens)).output).toBeGreaterThanOrEqual(known ?? 0);
      }
    },
  );

  it.each(Object.entries(videoModels).filter(([, { meter }]) => meter.by === "tokens"))(
    "a video counts no fewer tokens than one of %s",
    (_, { meter }) => {
      for (const resolution of ["480p", "720p", "1080p"]) {
        const ask = { model: "m", parts: [], resolution, duration: 5 };
        const known = estimateVideo(ask, meter).output;
        expect(estimateVideo(ask, videoMeterFor(tokens)).output).toBeGreaterThanOrEqual(known ?? 0);
      }
    },
  );
});
