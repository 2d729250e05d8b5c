import {
  chatstyleImageSchema,
  countsOfImage,
  decodeChatstyleImage,
  encodeChatstyleCompleted,
  encodeChatstyleImage,
  encodeChatstylePreview,
  encodeImageJob,
  encodeNativeImage,
  estimateImage,
  type ImageAsk,
  type ImageResult,
} from "@manifold-gateway/core/operations";
import { describe, expect, test } from "vitest";

const result: ImageResult = {
  images: [
    {
      b64: "AAAA",
      mediaType: "image/png",
      downloadUrl: "https://ours/1",
      assetId: "a1",
      revisedPrompt: "better",
    },
    { url: "https://theirs/2", size: "64x64" },
  ],
  usage: {
    generatedImages: 2,
    inputTokens: 10,
    outputTokens: 100,
    inputImageTokens: 4,
    outputImageTokens: 90,
  },
  outputFormat: "png",
  missing: ["moderated"],
};

describe("replies of the native interface", () => {
  test("the native interface shows pictures and counts, and nothing else", () => {
    expect(encodeNativeImage(result)).toEqual({
      images: [{ b64: "AAAA", downloadUrl: "https://ours/1", assetId: "a1" }, { url: "https://theirs/2" }],
      usage: {
        generatedImages: 2,
        inputTokens: 10,
        outputTokens: 100,
        inputImageTokens: 4,
        outputImageTokens: 90,
      },
    });
  });

  test.each([
    ["queued", { status: "queued" }],
    ["running", { status: "processing" }],
    ["succeeded", { status: "succeeded", result: encodeNativeImage(result) }],
    ["failed", { status: "failed", error: "why" }],
    ["cancelled", { status: "failed", error: "why" }],
  ] as const)("the native interface shows a %s job", (state, shown) => {
    expect(encodeImageJob({ generationId: "g", state, result, error: "why" })).toEqual({
      generationId: "g",
      ...shown,
    });
  });
});

describe("replies of the chat-style wire", () => {
  const usage = {
    input_tokens: 10,
    output_tokens: 100,
    total_tokens: 110,
    input_tokens_details: { text_tokens: 6, image_tokens: 4 },
    output_tokens_details: { text_tokens: 10, image_tokens: 90 },
  };

  test("the chat-style wire prefers our address to the provider's, and bytes unless an address was requested", () => {
    const inline = encodeChatstyleImage(result, { created: 7 });
    expect(inline).toEqual({
      created: 7,
      data: [{ b64_json: "AAAA", revised_prompt: "better" }, { url: "https://theirs/2" }],
      output_format: "png",
      usage,
    });
    const { data } = encodeChatstyleImage(result, { created: 7, responseFormat: "url" }) as {
      data: object[];
    };
    expect(data[0]).toEqual({ url: "https://ours/1", revised_prompt: "better" });
  });

  test("a chat-style stream ends with one event for each picture, the usage in the last", () => {
    const two = { ...result, images: [{ b64: "AAAA" }, { b64: "BBBB" }] };
    const completed = { type: "image_generation.completed", created_at: 7, output_format: "png" };
    expect(encodeChatstyleCompleted(two, 7)).toEqual([
      { ...completed, b64_json: "AAAA" },
      { ...completed, b64_json: "BBBB", usage },
    ]);
    expect(encodeChatstylePreview({ b64: "CCCC", index: 1, size: "64x64" }, 7)).toEqual({
      type: "image_generation.partial_image",
      b64_json: "CCCC",
      partial_image_index: 1,
      created_at: 7,
      size: "64x64",
    });
  });

  test("a chat-style body is read without its routing, and the rest is kept for its own wire", () => {
    const body = chatstyleImageSchema.parse({
      model: "m",
      prompt: "p",
      n: 2,
      size: null,
      output_format: "webp",
      output_compression: 5,
      style: "vivid",
      user: "alice",
      provider: {},
      stream: true,
      moderation: "low",
    });
    expect(decodeChatstyleImage(body)).toEqual({
      model: "m",
      prompt: "p",
      images: [],
      numberOfImages: 2,
      outputFormat: "webp",
      outputCompression: 5,
      style: "vivid",
      user: "alice",
      extra: { protocol: "chatstyle", fields: { moderation: "low" } },
    });
  });
});

describe("counts of images", () => {
  const ask = (more: Partial<ImageAsk>): ImageAsk => ({ model: "m", prompt: "é", images: [], ...more });
  const meter = { by: "tokens", output: { low: 272, high: 4160 }, scaled: true, perInput: 1536 } as const;
  const image = { at: "/content/0", source: { type: "url", url: "https://x/y" } } as const;

  test.each<[Partial<ImageAsk>, number]>([
    [{ quality: "low", size: "1024x1024" }, 272],
    [{ quality: "low", size: "1024x1536" }, 408],
    [{ quality: "high", size: "1536x1024" }, 6240],
    [{ quality: "auto", size: "1024x1024" }, 4160],
    [{ quality: "low", numberOfImages: 3 }, 816],
  ])("an image of %j costs %i tokens", (more, output) => {
    expect(estimateImage(ask(more), meter)).toMatchObject({
      output,
      imageOutput: output,
      input: 2,
      imageInput: 0,
    });
  });

  test("counts hold pictures that go in, and pictures that come out", () => {
    expect(estimateImage(ask({ images: [image, image] }), meter)).toMatchObject({
      input: 3074,
      imageInput: 3072,
    });
    expect(estimateImage(ask({ numberOfImages: 4 }), { by: "images" })).toEqual({ images: 4 });
    expect(countsOfImage(result)).toEqual({
      images: 2,
      input: 10,
      imageInput: 4,
      output: 100,
      imageOutput: 90,
    });
    expect(countsOfImage({ images: [], usage: { generatedImages: 1 } })).toEqual({ images: 1 });
    const zeros = { inputTokens: 0, outputTokens: 0, totalTokens: 0, outputImageTokens: 0 };
    expect(countsOfImage({ images: [], usage: { generatedImages: 1, ...zeros } })).toEqual({ images: 1 });
    const routed = { generatedImages: 1, inputTokens: 0, outputTokens: 5 };
    expect(countsOfImage({ images: [], usage: routed })).toMatchObject({ input: 0, output: 5 });
  });
});
