import { createCatalog, type Model } from "@manifold-gateway/gateway";
import { defineProvider, imageModels, videoModels } from "@manifold-gateway/providers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Listening, listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";

const BASE = "/v1/projects/p/locations/l/publishers/google";
const TOKEN = "token-of-the-machine-0123456789";

const made = (id: string, output: string, more: object): Model => ({
  id,
  inputModalities: ["text"],
  outputModalities: [output],
  isActive: true,
  revision: 1,
  entries: [{ provider: "platform", name: id, priority: 1, isActive: true, ...more }],
});
const vectors = { price: { input: 200_000 } };
const { capabilities, meter } = videoModels["veo-3.1-generate-preview"]!;
const models = [
  made("text-embedding-005", "embedding", vectors),
  made("gemini-embedding-001", "embedding", vectors),
  made("gemini-embedding-2", "embedding", vectors),
  made("veo-3.1-generate-preview", "video", { capabilities, meter, price: { seconds: 400_000_000_000 } }),
  made("gemini-3.1-flash-image", "image", {
    meter: imageModels["gemini-3.1-flash-image"]!.meter,
    price: { output: 60_000_000 },
  }),
];

/** The platform: it issues tokens, takes calls that have one, and has the simulator answer them. */
let platform: Listening;
let h: Stage;
let calls: string[] = [];
let isTokenless = false;
beforeAll(async () => {
  platform = await listen(async (request, response) => {
    const { url = "", method = "", headers } = request;
    response.setHeader("content-type", "application/json");
    if (url.startsWith("/computeMetadata"))
      return void response
        .writeHead(isTokenless ? 500 : 200)
        .end(JSON.stringify({ access_token: TOKEN, expires_in: 3_600 }));
    const path = url.slice(BASE.length);
    calls.push(path);
    if (headers.authorization !== `Bearer ${TOKEN}` || !url.startsWith(BASE))
      return void response.writeHead(401).end(JSON.stringify({ error: { message: "no token" } }));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = await fetch(`${h.upstream}/v1${path}`, {
      method,
      headers: { "content-type": "application/json", "x-goog-api-key": "k" },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  });
  const provider = defineProvider("platform", {
    origin: platform.origin + BASE,
    speaks: ["genstyle"],
    serves: { image: "genstyle", video: "predictstyle", embed: "predictstyle" },
    auth: { kind: "google", metadata: platform.origin },
  });
  h = await startStage({
    catalog: createCatalog(models),
    providers: new Map([["platform", provider]]),
    media: {},
  });
});
beforeEach(() => {
  calls = [];
  isTokenless = false;
});
afterAll(async () => {
  await h.close();
  await platform.close();
});

const last = async (model: string) =>
  (await h.store.generations.list({ accountId: "acc", model }, { offset: 0, limit: 1 })).results[0];

it.each([
  ["text-embedding-005", ["/models/text-embedding-005:predict"]],
  ["gemini-embedding-001", Array(2).fill("/models/gemini-embedding-001:predict")],
  ["gemini-embedding-2", Array(2).fill("/models/gemini-embedding-2:embedContent")],
])("texts are embedded by %s, in the calls that the model takes", async (model, paths) => {
  const list = await h.json("/api/chatstyle/v1/embeddings", { model, input: ["a", "bb"], dimensions: 64 });
  expect(list.data.map(({ embedding }: { embedding: number[] }) => embedding.length)).toEqual([64, 64]);
  expect(calls).toEqual(paths);
  const requests = ["a", "bb"].map((text) => ({ content: { parts: [{ text }] } }));
  const batch = await h.json(`/api/genstyle/v1beta/models/${model}:batchEmbedContents`, { requests });
  expect(batch.embeddings).toHaveLength(2);
  const one = await h.json(`/api/genstyle/v1beta/models/${model}:embedContent`, requests[0]);
  expect(one.embedding.values.length).toBeGreaterThan(0);
  expect((await last(model))?.cost).toBeGreaterThan(0);
});

it("a video is made by an operation that is read by its name, and its bytes are stored", async () => {
  const model = "veo-3.1-generate-preview";
  const content = [{ type: "text", text: "A lighthouse." }];
  const task = await h.json("/api/v1/video/generations", { model, content, duration: 4 });
  const done = await h.until(`/api/v1/video/tasks/${task.taskId}`, ({ status }) => status === "succeeded");
  const film = Buffer.from(await (await fetch(done.downloadUrl)).arrayBuffer());
  expect(film.subarray(4, 8).toString()).toBe("ftyp");
  expect(calls[0]).toBe(`/models/${model}:predictLongRunning`);
  expect(new Set(calls.slice(1))).toEqual(new Set([`/models/${model}:fetchPredictOperation`]));
  expect((await last(model))?.cost).toBe(4 * 400_000);
});

it("a picture of a model that generates content is made with a token too", async () => {
  const model = "gemini-3.1-flash-image";
  await h.json("/api/chatstyle/v1/images/generations", { model, prompt: "A lighthouse." });
  expect((await last(model))?.status).toBe("succeeded");
});

it("a job whose provider issues no token has certainly not begun: it is no orphan", async () => {
  const model = "veo-3.1-generate-preview";
  const other = defineProvider("platform", {
    origin: platform.origin + BASE,
    speaks: ["genstyle"],
    serves: { video: "predictstyle" },
    auth: { kind: "google", metadata: platform.origin },
  });
  const alone = await startStage({
    catalog: createCatalog(models),
    providers: new Map([["platform", other]]),
    media: { jobs: { tries: 1 } },
  });
  isTokenless = true;
  const content = [{ type: "text", text: "A lighthouse." }];
  await alone.json("/api/v1/video/generations", { model, content, duration: 4 }, 502);
  expect(calls).toEqual([]);
  expect(await alone.store.jobs.orphans({ offset: 0, limit: 1 })).toEqual([]);
  await alone.close();
});
