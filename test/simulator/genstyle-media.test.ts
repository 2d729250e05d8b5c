import { samples } from "@manifold-gateway/simulator";
import { expect, test } from "vitest";
import { PNG, stage } from "./setup.ts";
import { bytesOf, eventsOf, readFilm, readPicture } from "./wires.ts";

const set = stage();
const b64 = (bytes: Buffer) => bytes.toString("base64");
const inline = (mimeType: string, data: string) => ({ inlineData: { mimeType, data } });

const MODEL = "sim-image";
const draw = (text: string, config: object = {}, verb = "generateContent", model = MODEL) =>
  set.post(`/v1beta/models/${model}:${verb}`, {
    contents: [{ role: "user", parts: [{ text }] }],
    generationConfig: { responseModalities: ["IMAGE"], ...config },
  });

test("the official client gets a picture of the requested ratio and size", async () => {
  const answer = await set.google.models.generateContent({
    model: MODEL,
    contents: "a fox",
    config: { responseModalities: ["TEXT", "IMAGE"], imageConfig: { aspectRatio: "16:9", imageSize: "2K" } },
  });
  const parts = answer.candidates![0]!.content!.parts!;
  expect(parts[0]?.text).toBe("Here is: a fox");
  const picture = Buffer.from(parts[1]!.inlineData!.data!, "base64");
  expect(readPicture(picture)).toEqual({ type: "png", width: 2736, height: 1536 });
  expect(answer.usageMetadata).toMatchObject({
    candidatesTokenCount: 1120,
    candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1120 }],
  });
  expect(set.simulator.ledger.mediaJobs()).toMatchObject([
    { operation: "image", billed: { output_tokens: 1120 } },
  ]);
  expect(set.simulator.ledger.last()).toMatchObject({ operation: "image", usage: { output: 1120 } });
});

test("a stream has the picture in one chunk and the end in another", async () => {
  const answer = await draw("a fox", {}, "streamGenerateContent?alt=sse");
  const chunks = eventsOf(await answer.text()).map(({ data }) => data as Record<string, never>);
  expect(chunks).toMatchObject([
    { candidates: [{ content: { parts: [{ inlineData: { mimeType: "image/png" } }] } }] },
    { candidates: [{ finishReason: "STOP" }], usageMetadata: { candidatesTokenCount: 1120 } },
  ]);
  expect((await (await draw("a fox", {}, "streamGenerateContent")).json()).length).toBe(2);
});

test("a refused picture is a reason without a picture, and costs nothing", async () => {
  for (const [outcome, reason] of [
    ["fail=moderation", "IMAGE_SAFETY"],
    ["fail=PROHIBITED_CONTENT", "PROHIBITED_CONTENT"],
    ["silent", "NO_IMAGE"],
  ]) {
    const answer = await (await draw(`x [[outcome:${outcome}]]`)).json();
    expect(answer.candidates).toEqual([expect.objectContaining({ finishReason: reason })]);
    expect(answer.candidates[0].content).toBeUndefined();
  }
  expect(set.simulator.ledger.mediaJobs({ state: "failed" }).map(({ billed }) => billed)).toEqual([{}, {}]);
});

test.each([
  ["ratio", { imageConfig: { aspectRatio: "7:4" } }, MODEL],
  ["size", { imageConfig: { imageSize: "8K" } }, MODEL],
  ["unknown name", { imageConfig: { width: 1 } }, MODEL],
  ["count", { candidateCount: 2 }, MODEL],
  ["model without pictures", {}, "sim-text"],
  ["unknown setting", { size: "1K" }, MODEL],
])("pictures are refused: %s", async (_, config, model) => {
  const answer = await draw("a fox", config, "generateContent", model);
  expect([answer.status, (await answer.json()).error.status]).toEqual([400, "INVALID_ARGUMENT"]);
});

test("text models still answer text, and snake case is read", async () => {
  const body = { contents: [{ parts: [{ text: "hi" }] }] };
  const text = await (await set.post("/v1beta/models/sim-image:generateContent", body)).json();
  expect(text.candidates[0].content.parts[0].text).toBe("You said: hi");
  const snake = {
    ...body,
    generation_config: { response_modalities: ["IMAGE"], image_config: { aspect_ratio: "1:1" } },
  };
  const image = await (await set.post("/v1beta/models/sim-image:generateContent", snake)).json();
  expect(image.candidates[0].content.parts[0].inlineData.mimeType).toBe("image/png");
});

const EMBED = "sim-embed-multimodal";
const embed = (parts: object[], model = EMBED) =>
  set.post(`/v1beta/models/${model}:embedContent`, { content: { parts }, outputDimensionality: 16 });

test("several parts are one vector, several requests are several", async () => {
  const parts = [
    { text: "a fox" },
    inline("image/png", PNG),
    inline("audio/wav", b64(samples.wav(2))),
    inline("video/mp4", b64(samples.mp4({ w: 64, h: 64, seconds: 2 }))),
    inline("application/pdf", b64(Buffer.from("%PDF-1.7"))),
  ];
  expect((await (await embed(parts)).json()).embedding.values).toHaveLength(16);
  const requests = [parts, parts.slice(0, 1)].map((some) => ({
    model: `models/${EMBED}`,
    content: { parts: some },
  }));
  const many = await (await set.post(`/v1beta/models/${EMBED}:batchEmbedContents`, { requests })).json();
  expect(many.embeddings).toHaveLength(2);
});

test.each([
  ["seven images", Array.from({ length: 7 }, () => inline("image/png", PNG)), /At most 6 image/],
  ["two sounds", [1, 2].map(() => inline("audio/wav", b64(samples.wav(1)))), /At most 1 audio/],
  ["two films", [1, 2].map(() => inline("video/mp4", PNG)), /At most 1 video/],
  ["long sound", [inline("audio/wav", b64(samples.wav(181, 8000)))], /longer than 180/],
  ["long film", [inline("video/mp4", b64(samples.mp4({ w: 16, h: 16, seconds: 121 })))], /longer than 120/],
  ["kind of image", [inline("image/webp", PNG)], /Unsupported MIME type: image\/webp/],
  ["kind of sound", [inline("audio/ogg", PNG)], /Unsupported MIME type/],
  ["kind of film", [inline("video/webm", PNG)], /Unsupported MIME type/],
  ["kind of all", [inline("text/plain", PNG)], /Unsupported MIME type/],
  ["no base64", [inline("image/png", "*")], /Base64/],
])("embeddings are refused: %s", async (_, parts, message) => {
  const answer = await embed(parts);
  expect([answer.status, (await answer.json()).error.message]).toEqual([400, expect.stringMatching(message)]);
});

test("text models embed text only", async () => {
  expect((await embed([inline("image/png", PNG)], "sim-embed")).status).toBe(400);
});

const FILM = "sim-film";
const start = (instance: object, parameters?: object) =>
  set.post(`/v1beta/models/${FILM}:predictLongRunning`, {
    instances: [{ prompt: "a fox", ...instance }],
    parameters,
  });
const get = (path: string) =>
  fetch(path.startsWith("http") ? path : `${set.origin}/v1beta/${path}`, {
    headers: { "x-goog-api-key": "key" },
  });
const named = async (prompt: string, parameters?: object): Promise<string> =>
  (await (await start({ prompt }, parameters)).json()).name;
const read = async (name: string) => (await get(name)).json();

test("a film is started, polled by its name, and downloaded with the key", async () => {
  const name = await named("a fox", { aspectRatio: "9:16", durationSeconds: 4, resolution: "720p" });
  expect(name).toMatch(/^models\/sim-film\/operations\/\w+$/);
  expect(await read(name)).toEqual({ name });
  const done = await read(name);
  expect(done.done).toBe(true);
  const { uri } = done.response.generateVideoResponse.generatedSamples[0].video;
  expect((await fetch(uri)).status).toBe(401);
  expect(readFilm(await bytesOf(await get(uri)))).toMatchObject({
    width: 720,
    height: 1280,
    seconds: 4,
    frames: 96,
  });
  expect(set.simulator.ledger.mediaJobs()).toMatchObject([
    { operation: "video", billed: { seconds: 4 }, outputs: [{ downloads: 1 }] },
  ]);
});

test("films fail, are filtered, are lost and expire on request", async () => {
  const end = async (outcome: string) => read(await named(`x [[outcome:running=0,${outcome}]]`));
  expect(await end("fail=internal")).toMatchObject({ done: true, error: { code: 13 } });
  const filtered = { raiMediaFilteredCount: 1 };
  expect((await end("fail=moderation")).response.generateVideoResponse).toMatchObject(filtered);
  expect((await end("silent")).response.generateVideoResponse).toMatchObject(filtered);
  expect((await get(await named("x [[outcome:lost=0]]"))).status).toBe(404);
  const gone = await end("gone");
  expect((await get(gone.response.generateVideoResponse.generatedSamples[0].video.uri)).status).toBe(404);
  expect((await start({ prompt: "x [[fault:status=503,late]]" })).status).toBe(503);
  expect(set.simulator.ledger.orphans()).toHaveLength(1);
});

const image = { bytesBase64Encoded: PNG, mimeType: "image/png" };
test.each([
  ["no prompt", { prompt: "" }, {}],
  ["seconds", {}, { durationSeconds: 5 }],
  ["short 1080p", {}, { resolution: "1080p", durationSeconds: 4 }],
  ["ratio", {}, { aspectRatio: "1:1" }],
  ["resolution", {}, { resolution: "480p" }],
  ["sound", {}, { generateAudio: false }],
  ["link to an image", { image: { uri: "https://a.test/a.png" } }, {}],
  ["last frame alone", { lastFrame: image }, {}],
  ["four references", { referenceImages: [1, 2, 3, 4].map(() => ({ image, referenceType: "asset" })) }, {}],
  ["references and image", { image, referenceImages: [{ image, referenceType: "asset" }] }, {}],
  ["short with references", { referenceImages: [{ image, referenceType: "asset" }] }, { durationSeconds: 4 }],
])("films are refused: %s", async (_, instance, parameters) => {
  const answer = await start(instance, parameters);
  expect([answer.status, (await answer.json()).error.status]).toEqual([400, "INVALID_ARGUMENT"]);
});
