import { GoogleGenAI } from "@google/genai";
import { samples } from "@manifold/simulator";
import OpenAI, { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Harness, KEY, startHarness } from "./harness.ts";

let h: Harness;
let client: OpenAI;
beforeAll(async () => {
  h = await startHarness();
  client = new OpenAI({ apiKey: KEY, baseURL: `${h.origin}/api/chatstyle/v1`, maxRetries: 0 });
});
afterAll(() => h.close());

const PNG = "89504e47";
const headOf = (b64: string | undefined): string =>
  Buffer.from(b64 ?? "", "base64")
    .subarray(0, 4)
    .toString("hex");

describe("images by the official SDK", () => {
  it("come in base64 from a model that gives no addresses", async () => {
    const { data, usage } = await client.images.generate({ model: "image-chat", prompt: "A door.", n: 2 });
    expect(data?.map(({ b64_json }) => headOf(b64_json))).toEqual([PNG, PNG]);
    expect(usage?.output_tokens).toBeGreaterThan(0);
  });

  it("come as our own links from one that does, unless bytes are asked for", async () => {
    const linked = await client.images.generate({ model: "image", prompt: "A door." });
    expect(linked.data?.[0]?.url).toContain(`${h.origin}/api/objects/`);
    const inline = await client.images.generate({
      model: "image",
      prompt: "A door.",
      response_format: "b64_json",
    });
    expect(headOf(inline.data?.[0]?.b64_json)).toMatch(/^ffd8ff/);
  });

  it("stream what is half done, where the provider can", async () => {
    const types: string[] = [];
    const stream = await client.images.generate({
      model: "image-chat",
      prompt: "A door.",
      stream: true,
      partial_images: 2,
    });
    for await (const event of stream) {
      types.push(event.type);
      expect(headOf(event.b64_json)).toBe(PNG);
    }
    expect(types).toEqual([
      "image_generation.partial_image",
      "image_generation.partial_image",
      "image_generation.completed",
    ]);
  });

  it("are one JSON answer where it cannot", async () => {
    const response = await h.call("/api/chatstyle/v1/images/generations", {
      model: "image",
      prompt: "A door.",
      stream: true,
    });
    expect(response.headers.get("content-type")).toBe("application/json");
    expect((await response.json()).data).toHaveLength(1);
  });

  it("are edited, by files and with partial pictures", async () => {
    const file = await toFile(samples.png(640, 640), "a.png", { type: "image/png" });
    const { data } = await client.images.edit({
      model: "image-chat",
      image: [file, file],
      prompt: "Blue.",
      n: 1,
    });
    expect(headOf(data?.[0]?.b64_json)).toBe(PNG);
    const types: string[] = [];
    const stream = await client.images.edit({
      model: "image-chat",
      image: file,
      prompt: "Blue.",
      stream: true,
      partial_images: 1,
    });
    for await (const event of stream) types.push(event.type);
    expect(types).toEqual(["image_edit.partial_image", "image_edit.completed"]);
  });

  it("say what is wrong in the SDK's words", async () => {
    const ask = client.images.generate({ model: "image-chat", prompt: "A door.", n: 11 });
    await expect(ask).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/\bn: .*image-chat/),
    });
    const mask = await toFile(samples.png(64, 64), "m.png", { type: "image/png" });
    const masked = client.images.edit({ model: "image-chat", image: mask, mask, prompt: "Blue." });
    await expect(masked).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/mask: is not supported/),
    });
  });
});

describe("videos by the official SDK", () => {
  const poll = async (id: string) => {
    for (;;) {
      const video = await client.videos.retrieve(id);
      if (["completed", "failed", "expired"].includes(video.status))
        return video as OpenAI.Video & Record<string, unknown>;
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  };

  it("are submitted as a form, polled, downloaded whole and in part, and listed", async () => {
    const made = await client.videos.create({
      model: "video-router",
      prompt: "A boat.",
      seconds: "5" as "4",
      size: "1280x720",
    });
    expect(["pending", "in_progress"]).toContain(made.status);
    const done = await poll(made.id);
    expect(done).toMatchObject({
      status: "completed",
      polling_url: expect.stringContaining(`${h.origin}/api/chatstyle/v1/videos/`),
    });
    const [url] = done.unsigned_urls as string[];
    const bytes = Buffer.from(await (await client.videos.downloadContent(made.id)).arrayBuffer());
    expect(bytes.subarray(4, 8).toString()).toBe("ftyp");
    const part = await h.call(url ?? "", undefined, { headers: { range: "bytes=4-7" } });
    expect([part.status, await part.text()]).toEqual([206, "ftyp"]);
    const missing = await h.call(`/api/chatstyle/v1/videos/${made.id}/content?index=1`);
    expect(missing.status).toBe(404);
    const second = await client.videos.create({
      model: "video-router",
      prompt: "Another.",
      size: "720x1280",
    });
    const listed: string[] = [];
    for await (const { id } of client.videos.list({ limit: 1 })) listed.push(id);
    expect(listed).toEqual([second.id, made.id]);
  });

  it("take a reference as a file, and as an address", async () => {
    const file = await toFile(samples.png(640, 640), "a.png", { type: "image/png" });
    const made = await client.videos.create({
      model: "video-router",
      prompt: "As this.",
      input_reference: file,
    });
    expect((await poll(made.id)).status).toBe("completed");
    const sent = h.simulator.ledger.entries.findLast(({ operation }) => operation === "video");
    expect(JSON.stringify(sent?.request)).toContain("input_references");
    const body = {
      model: "video-router",
      prompt: "As this.",
      input_reference: { image_url: "https://files.example.com/a.png" },
    };
    const answer = await h.json("/api/chatstyle/v1/videos", body);
    expect((await poll(answer.id)).status).toBe("completed");
  });

  it("that are not done cannot be downloaded", async () => {
    const made = await client.videos.create({
      model: "video-router",
      prompt: "Slow. [[outcome:running=40]]",
    });
    await expect(client.videos.downloadContent(made.id)).rejects.toMatchObject({ status: 409 });
  });

  it("expire and fail by their own words", async () => {
    const expired = await client.videos.create({ model: "video-router", prompt: "Slow. [[outcome:expire]]" });
    expect((await poll(expired.id)).status).toBe("expired");
    const failed = await client.videos.create({
      model: "video-router",
      prompt: "Bad. [[outcome:fail=moderation]]",
    });
    expect(await poll(failed.id)).toMatchObject({ status: "failed", error: expect.any(String) });
  });

  it("are routed to the aggregator only", async () => {
    const ask = client.videos.create({ model: "video", prompt: "A boat." });
    await expect(ask).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/model: 'video'/),
    });
  });
});

describe("embeddings of media", () => {
  const b64 = (bytes: Buffer): string => bytes.toString("base64");

  it("on the messages surface, by address and inline", async () => {
    const sample = `${h.upstream}/samples/`;
    const input = [
      {
        content: [
          { type: "text", text: "a cat" },
          { type: "imageUrl", url: `${sample}64x64.png` },
        ],
      },
      { content: [{ type: "audioUrl", url: `${sample}2s.wav` }] },
      {
        content: [
          {
            type: "videoBase64",
            data: b64(samples.mp4({ w: 64, h: 64, seconds: 2, fps: 24 })),
            mediaType: "video/mp4",
          },
        ],
      },
      "words",
    ];
    for (const model of ["embed-media", "embed-generate"]) {
      const before = await h.money();
      const list = await h.json("/api/msgstyle/v1/embeddings", { model, input });
      expect(list.data).toHaveLength(4);
      expect(new Set(list.data.map(({ embedding }: { embedding: number[] }) => embedding.join())).size).toBe(
        4,
      );
      const filter = { accountId: "acc", model };
      const { results } = await h.store.generations.list(filter, { offset: 0, limit: 1 });
      const [record] = results;
      expect(before.balance - (await h.money()).balance).toBe(record?.cost);
      if (model === "embed-generate") expect(record?.usage).toMatchObject({ estimated: true });
      else {
        // A picture counts 258 tokens and has a price of its own; the rest is text, sound and film.
        const { input = 0 } = h.simulator.ledger.query({ operation: "embed" }).at(-1)?.usage ?? {};
        expect(record?.cost).toBe(Math.ceil((258 * 450_000 + (input - 258) * 200_000) / 1e6));
      }
    }
  });

  it("on the generate-content surface, by its SDK", async () => {
    const genai = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: `${h.origin}/api/genstyle` } });
    for (const model of ["embed-media", "embed-generate"]) {
      const { embeddings } = await genai.models.embedContent({
        model,
        contents: [
          {
            parts: [
              { text: "a cat" },
              { inlineData: { mimeType: "image/png", data: b64(samples.png(64, 64)) } },
            ],
          },
        ],
      });
      expect(embeddings?.[0]?.values?.length).toBeGreaterThan(0);
    }
  });

  it("are made of pictures and film by the wire that combines them", async () => {
    const parts = [
      { type: "text", text: "a cat" },
      { type: "imageUrl", url: "https://files.example.com/a.png" },
    ];
    const list = await h.json("/api/msgstyle/v1/embeddings", {
      model: "embed-vision",
      input: [{ content: parts }],
    });
    expect(list.data).toHaveLength(1);
  });

  const longWav = (seconds: number) => ({
    inlineData: { mimeType: "audio/wav", data: b64(samples.wav(seconds)) },
  });
  const png = { inlineData: { mimeType: "image/png", data: b64(samples.png(64, 64)) } };
  it.each([
    ["seven pictures", Array(7).fill(png), /at most 6 image/],
    ["two sounds", [longWav(1), longWav(1)], /at most 1 audio/],
    ["a sound that is too long", [longWav(181)], /at most 180 seconds/],
    [
      "a sound of another kind",
      [{ inlineData: { mimeType: "audio/mp3", data: b64(samples.mp3(2)) } }],
      /audio\/wav/,
    ],
    [
      "a sound that is none",
      [{ inlineData: { mimeType: "audio/wav", data: b64(samples.png(64, 64)) } }],
      /image\/png/,
    ],
    [
      "a reference",
      [{ fileData: { fileUri: "files/a", mimeType: "image/png" } }],
      /fileData is not supported/,
    ],
  ])("are refused: %s", async (_, parts, why) => {
    const body = { contents: { parts } };
    const { errors } = await h.json("/api/genstyle/v1beta/models/embed-generate:embedContent", body, 400);
    expect(errors[0]).toMatch(why);
    expect(errors[0]).toContain("embed-generate");
  });

  it("are refused by models that take none of it, and addresses that are not public", async () => {
    const input = [{ content: [{ type: "audioBase64", data: b64(samples.wav(1)), mediaType: "audio/wav" }] }];
    const none = await h.json("/api/msgstyle/v1/embeddings", { model: "embed-chat", input }, 400);
    expect(none.errors[0]).toMatch(/input\.0\.content\.0.*audio/);
    const vision = await h.json("/api/msgstyle/v1/embeddings", { model: "embed-vision", input }, 400);
    expect(vision.errors[0]).toMatch(/input\.0\.content\.0.*audio is not taken/);
    const inside = [{ content: [{ type: "imageUrl", url: "http://10.0.0.1/a.png" }] }];
    const refused = await h.json(
      "/api/msgstyle/v1/embeddings",
      { model: "embed-generate", input: inside },
      400,
    );
    expect(refused.errors[0]).toMatch(/input\.0\.content\.0/);
  });
});
