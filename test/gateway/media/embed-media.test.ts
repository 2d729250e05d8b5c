import { samples } from "@manifold-gateway/simulator";
import { describe, expect, it } from "vitest";
import { stage } from "./stage.ts";

const set = stage();

describe("embeddings of media", () => {
  const b64 = (bytes: Buffer): string => bytes.toString("base64");

  it("media are embedded on the messages surface, by address and inline", async () => {
    const sample = `${set.h.upstream}/samples/`;
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
      const before = await set.h.balance();
      const list = await set.h.json("/api/msgstyle/v1/embeddings", { model, input });
      expect(list.data).toHaveLength(4);
      expect(new Set(list.data.map(({ embedding }: { embedding: number[] }) => embedding.join())).size).toBe(
        4,
      );
      const filter = { accountId: "acc", model };
      const { results } = await set.h.store.generations.list(filter, { offset: 0, limit: 1 });
      const [record] = results;
      expect(before.balance - (await set.h.balance()).balance).toBe(record?.cost);
      if (model === "embed-generate") expect(record?.usage).toMatchObject({ estimated: true });
      else {
        // A picture counts 258 tokens and has a price of its own; the rest is text, sound and film.
        const { input = 0 } = set.h.simulator.ledger.query({ operation: "embed" }).at(-1)?.usage ?? {};
        expect(record?.cost).toBe(Math.ceil((258 * 450_000 + (input - 258) * 200_000) / 1e6));
      }
    }
  });

  it("the generate-content SDK gets embeddings of media", async () => {
    for (const model of ["embed-media", "embed-generate"]) {
      const { embeddings } = await set.genstyle.models.embedContent({
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

  it("pictures and film are embedded by the wire that combines them", async () => {
    const parts = [
      { type: "text", text: "a cat" },
      { type: "imageUrl", url: "https://files.example.com/a.png" },
    ];
    const list = await set.h.json("/api/msgstyle/v1/embeddings", {
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
  ])("an embedding of media is refused: %s", async (_, parts, why) => {
    const body = { contents: { parts } };
    const { errors } = await set.h.json("/api/genstyle/v1beta/models/embed-generate:embedContent", body, 400);
    expect(errors[0]).toMatch(why);
    expect(errors[0]).toContain("embed-generate");
  });

  it("a model that takes no media refuses them, and private addresses are refused", async () => {
    const input = [{ content: [{ type: "audioBase64", data: b64(samples.wav(1)), mediaType: "audio/wav" }] }];
    const none = await set.h.json("/api/msgstyle/v1/embeddings", { model: "embed-chat", input }, 400);
    expect(none.errors[0]).toMatch(/input\.0\.content\.0.*audio/);
    const vision = await set.h.json("/api/msgstyle/v1/embeddings", { model: "embed-vision", input }, 400);
    expect(vision.errors[0]).toMatch(/input\.0\.content\.0.*audio is not accepted/);
    const inside = [{ content: [{ type: "imageUrl", url: "http://10.0.0.1/a.png" }] }];
    const refused = await set.h.json(
      "/api/msgstyle/v1/embeddings",
      { model: "embed-generate", input: inside },
      400,
    );
    expect(refused.errors[0]).toMatch(/input\.0\.content\.0/);
  });
});
