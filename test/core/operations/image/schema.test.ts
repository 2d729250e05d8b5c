import {
  chatstyleImageSchema,
  decodeNativeImage,
  imageTypes,
  nativeImageSchema,
} from "@manifold-gateway/core/operations";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const text = { type: "text", text: "a lighthouse" };
const body = (more: object) => ({ model: "m", content: [text], ...more });
const withPart = (part: object) => body({ content: [text, part] });

/** The fields that a schema finds fault with. */
const faults = (schema: typeof nativeImageSchema | typeof chatstyleImageSchema, value: unknown): string[] => {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map(({ path }) => path.join("."));
};

const good: object[] = [
  ...["1x1", "1024x768", "999999x1"].map((size) => ({ size })),
  ...[1, 15].map((numberOfImages) => ({ numberOfImages })),
  ...[1, 2.5, 10].map((guidanceScale) => ({ guidanceScale })),
  ...["png", "jpeg", "webp"].map((outputFormat) => ({ outputFormat })),
  ...["auto", "high", "medium", "low"].map((quality) => ({ quality })),
  ...["transparent", "opaque", "auto"].map((background) => ({ background })),
  { background: "transparent", outputFormat: "png" },
  { background: "transparent", outputFormat: "webp" },
  ...[0, 100].map((outputCompression) => ({ outputCompression, outputFormat: "webp" })),
  ...["url", "b64_json"].map((responseFormat) => ({ responseFormat })),
  ...[true, false].map((watermark) => ({ watermark })),
  ...[{}, { mode: "standard" }, { mode: "fast" }].map((optimizePromptOptions) => ({ optimizePromptOptions })),
  { maxTokens: 1 },
];

const bad: [field: string, value: object][] = [
  ...["", "0x1", "1024", "1024X1024", "-1x2", "1.5x2", "01x2", "2K", 1024].map(
    (size) => ["size", { size }] as [string, object],
  ),
  ...[0, 16, 1.5, "2", null].map(
    (numberOfImages) => ["numberOfImages", { numberOfImages }] as [string, object],
  ),
  ...[0.99, 10.01, "3"].map((guidanceScale) => ["guidanceScale", { guidanceScale }] as [string, object]),
  ["outputFormat", { outputFormat: "gif" }],
  ["quality", { quality: "hd" }],
  ["background", { background: "white" }],
  ["background", { background: "transparent", outputFormat: "jpeg" }],
  ...[-1, 101, 1.5, "5"].map(
    (outputCompression) => ["outputCompression", { outputCompression }] as [string, object],
  ),
  ["outputCompression", { outputCompression: 5, outputFormat: "png" }],
  ["responseFormat", { responseFormat: "base64" }],
  ["watermark", { watermark: "true" }],
  ["optimizePromptOptions", { optimizePromptOptions: "fast" }],
  ["optimizePromptOptions.mode", { optimizePromptOptions: { mode: "slow" } }],
  ...[0, 1.5, "1"].map((maxTokens) => ["maxTokens", { maxTokens }] as [string, object]),
  ["model", { model: "" }],
  ["model", { model: 1 }],
  ["content", { content: [] }],
  ["content", { content: "a lighthouse" }],
  ["content", { content: undefined }],
];

describe("a native body", () => {
  test.each(good)("a native body takes %j", (more) => {
    expect(nativeImageSchema.parse(body(more))).toMatchObject(more);
  });

  test.each(bad)("a native body is refused for %s of %j", (field, more) => {
    expect(faults(nativeImageSchema, body(more))).toEqual([field]);
  });

  test("a native body loses unknown members, at every depth", () => {
    const value = body({
      user: "x",
      content: [{ ...text, cache: 1 }],
      optimizePromptOptions: { mode: "fast", thinking: "auto" },
    });
    expect(nativeImageSchema.parse(value)).toEqual(body({ optimizePromptOptions: { mode: "fast" } }));
  });

  const raw = { type: "imageBase64", data: "AAAA" };
  test.each<object>([
    { type: "text", text: "" },
    { type: "imageUrl", url: "https://example.com/a.png" },
    { type: "imageUrl", url: "http://example.com/a.png?x=1" },
    { type: "imageAssetId", assetId: "a1" },
    { ...raw, data: "data:image/png;base64,AAAA" },
    { ...raw, data: "data:image/png;base64,AAAA", mediaType: "image/jpeg" },
    { ...raw, mediaType: "IMAGE/PNG" },
    ...imageTypes.map((mediaType) => ({ ...raw, mediaType })),
  ])("a native body takes the part %j", (part) => {
    expect(faults(nativeImageSchema, withPart(part))).toEqual([]);
  });

  test.each<[string, object]>([
    ["content.1.type", { type: "image", url: "https://example.com" }],
    ["content.1.type", { text: "no type" }],
    ["content.1.text", { type: "text" }],
    ["content.1.text", { type: "text", text: 1 }],
    ["content.1.url", { type: "imageUrl" }],
    ["content.1.url", { type: "imageUrl", url: "ftp://example.com/a.png" }],
    ["content.1.url", { type: "imageUrl", url: "data:image/png;base64,AAAA" }],
    ["content.1.url", { type: "imageUrl", url: "/a.png" }],
    ["content.1.assetId", { type: "imageAssetId", assetId: "" }],
    ["content.1.data", { type: "imageBase64", mediaType: "image/png" }],
    ["content.1.data", { ...raw, data: "", mediaType: "image/png" }],
    ["content.1.data", { ...raw, data: "not base64!", mediaType: "image/png" }],
    ["content.1.data", { ...raw, data: "data:text/plain;base64,AAAA" }],
    ["content.1.mediaType", raw],
    ["content.1.mediaType", { ...raw, mediaType: "image/svg+xml" }],
    ["content.1.mediaType", { ...raw, mediaType: "audio/wav" }],
  ])("a native body is refused with %s for %j", (field, part) => {
    expect(faults(nativeImageSchema, withPart(part))).toEqual([field]);
  });

  test("the refusal of a native body says what is allowed", () => {
    const { error } = nativeImageSchema.safeParse(withPart({ type: "video" }));
    expect(error?.issues[0]?.message).toBe("must be one of text, imageUrl, imageBase64, imageAssetId");
  });

  test("a native body becomes a request: texts joined, pictures in order, with their places", () => {
    const content = [
      { type: "imageUrl", url: "https://example.com/a.png" },
      text,
      { type: "imageBase64", data: "data:image/PNG;x=1;base64,AAAA" },
      { type: "text", text: "at night" },
      { type: "imageAssetId", assetId: "a1" },
    ];
    const ask = decodeNativeImage(
      nativeImageSchema.parse(body({ content, numberOfImages: 2, size: "64x64" })),
    );
    expect(ask).toEqual({
      model: "m",
      prompt: "a lighthouse\nat night",
      numberOfImages: 2,
      size: "64x64",
      images: [
        { at: "/content/0", source: { type: "url", url: "https://example.com/a.png" } },
        { at: "/content/2", source: { type: "base64", mediaType: "image/png", data: "AAAA" } },
        { at: "/content/4", source: { type: "asset", id: "a1", kind: "output" } },
      ],
    });
  });

  test("a native body never makes the schema throw", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        nativeImageSchema.safeParse(JSON.parse(json));
        nativeImageSchema.safeParse(body({ content: JSON.parse(json) }));
        chatstyleImageSchema.safeParse(JSON.parse(json));
      }),
    );
  });
});

describe("a chat-style body", () => {
  const chat = (more: object) => ({ model: "m", prompt: "a lighthouse", ...more });

  test.each<object>([
    {},
    { n: 1 },
    { n: null },
    { size: "auto", quality: "hd", output_format: "png", background: "auto", style: "vivid" },
    { response_format: "url", stream: true, provider: { order: ["x"] } },
    { partial_images: 2, moderation: "low" },
  ])("a chat-style body takes %j", (more) => {
    expect(chatstyleImageSchema.parse(chat(more))).toEqual(chat(more));
  });

  test.each<[string, object]>([
    ["model", { model: undefined }],
    ["prompt", { prompt: "" }],
    ["prompt", { prompt: ["a"] }],
    ["n", { n: 0 }],
    ["n", { n: "2" }],
    ["n", { n: 1.5 }],
    ["size", { size: 1024 }],
    ["quality", { quality: 1 }],
    ["output_format", { output_format: 1 }],
    ["response_format", { response_format: "b64" }],
    ["background", { background: 1 }],
    ["style", { style: 1 }],
    ["stream", { stream: "yes" }],
    ["provider", { provider: "x" }],
  ])("a chat-style body is refused for %s of %j", (field, more) => {
    expect(faults(chatstyleImageSchema, chat(more))).toEqual([field]);
  });
});
