import {
  chatstyleVideoSchema,
  decodeChatstyleVideo,
  decodeNativeVideo,
  nativeVideoSchema,
  storableContent,
} from "@manifold-gateway/core/operations";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const text = { type: "text", text: "a lighthouse" };
const body = (more: object) => ({ model: "m", content: [text], ...more });
const faults = (schema: typeof nativeVideoSchema | typeof chatstyleVideoSchema, value: unknown): string[] =>
  (schema.safeParse(value).error?.issues ?? []).map(({ path }) => path.join("."));

/** `[field, what is taken, what is refused]` */
const fields: [field: string, taken: unknown[], refused: unknown[]][] = [
  ["model", ["m"], ["", 1, null]],
  ["duration", [1, 5, 30], [0, -1, 1.5, "5", null]],
  ["resolution", ["480p", "720p", "1080p", "4k"], ["4K", "360p", 720]],
  ["ratio", ["16:9", "adaptive", "9:21"], ["", 1]],
  ["generateAudio", [true, false], ["true", 1]],
  ["seed", [-1, 0, 2 ** 31], [-2, 1.5, "1"]],
  ["watermark", [true, false], ["false", 0]],
  ["cameraFixed", [true, false], ["false", 0]],
  ["maxTokens", [1], [0, 1.5, "1"]],
];
const https = "https://example.com/a";
const kyc = ["kycImageAssetId", "kycVideoAssetId", "kycAudioAssetId", "imageAssetId", "videoAssetId"];

describe("a native body", () => {
  test.each(fields)("a native body has the field %s", (field, taken, refused) => {
    for (const value of taken) expect(faults(nativeVideoSchema, body({ [field]: value }))).toEqual([]);
    for (const value of refused) expect(faults(nativeVideoSchema, body({ [field]: value }))).toEqual([field]);
  });

  test.each<object>([
    { type: "imageUrl", url: https },
    ...["firstFrame", "lastFrame", "referenceImage"].map((role) => ({ type: "imageUrl", url: https, role })),
    { type: "imageBase64", data: "AAAA", mediaType: "image/png", role: "firstFrame" },
    { type: "imageBase64", data: "data:image/png;base64,AAAA" },
    { type: "imageAssetId", assetId: "a", role: "lastFrame" },
    { type: "videoUrl", url: https },
    { type: "videoBase64", data: "AAAA", mediaType: "video/mp4" },
    { type: "videoBase64", data: "data:video/quicktime;base64,AAAA" },
    { type: "audioUrl", url: https, role: "referenceAudio" },
    ...["audio/mpeg", "audio/mp3", "audio/wav", "audio/x-wav", "audio/wave"].map((mediaType) => ({
      type: "audioBase64",
      data: "AAAA",
      mediaType,
    })),
    ...kyc.map((type) => ({ type, assetId: "a" })),
  ])("a native body takes the part %j", (part) => {
    expect(faults(nativeVideoSchema, body({ content: [text, part] }))).toEqual([]);
  });

  test.each<[string, object]>([
    ["type", { type: "file", url: https }],
    ["type", {}],
    ["text", { type: "text" }],
    ["url", { type: "imageUrl" }],
    ["url", { type: "imageUrl", url: "file:///a" }],
    ["role", { type: "imageUrl", url: https, role: "first_frame" }],
    ["role", { type: "imageUrl", url: https, role: "referenceAudio" }],
    ["mediaType", { type: "imageBase64", data: "AAAA" }],
    ["mediaType", { type: "imageBase64", data: "AAAA", mediaType: "video/mp4" }],
    ["url", { type: "videoUrl", url: "x" }],
    ["mediaType", { type: "videoBase64", data: "AAAA" }],
    ["mediaType", { type: "videoBase64", data: "AAAA", mediaType: "video/ogg" }],
    ["role", { type: "audioUrl", url: https }],
    ["role", { type: "audioUrl", url: https, role: "referenceImage" }],
    ["mediaType", { type: "audioBase64", data: "AAAA" }],
    ["mediaType", { type: "audioBase64", data: "data:audio/wav;base64,AAAA" }],
    ["mediaType", { type: "audioBase64", data: "AAAA", mediaType: "audio/ogg" }],
    ...kyc.map((type): [string, object] => ["assetId", { type }]),
    ...kyc.map((type): [string, object] => ["assetId", { type, assetId: "" }]),
  ])("a native body is refused with content.1.%s for %j", (field, part) => {
    expect(faults(nativeVideoSchema, body({ content: [text, part] }))).toEqual([`content.1.${field}`]);
  });

  test("a native body needs content, and loses unknown members", () => {
    expect(faults(nativeVideoSchema, body({ content: [] }))).toEqual(["content"]);
    expect(faults(nativeVideoSchema, { model: "m" })).toEqual(["content"]);
    expect(nativeVideoSchema.parse(body({ user: 1, content: [{ ...text, x: 1 }] }))).toEqual(body({}));
  });

  test("a native body becomes a request: each part in order, an image without a role a reference", () => {
    const content = [
      { type: "imageUrl", url: https, role: "firstFrame" },
      text,
      { type: "imageBase64", data: "AAAA", mediaType: "image/png" },
      { type: "videoAssetId", assetId: "v" },
      { type: "audioBase64", data: "AAAA", mediaType: "audio/mpeg" },
      { type: "kycImageAssetId", assetId: "k" },
    ];
    const { parts, ...rest } = decodeNativeVideo(nativeVideoSchema.parse(body({ content, seed: 3 })));
    expect(rest).toEqual({ model: "m", seed: 3 });
    expect(parts).toEqual([
      { type: "image", role: "firstFrame", source: { type: "url", url: https }, at: "/content/0" },
      { ...text, at: "/content/1" },
      {
        type: "image",
        role: "referenceImage",
        roleAssumed: true,
        source: { type: "base64", mediaType: "image/png", data: "AAAA" },
        at: "/content/2",
      },
      { type: "video", source: { type: "asset", id: "v", kind: "output" }, at: "/content/3" },
      { type: "audio", source: { type: "base64", mediaType: "audio/mp3", data: "AAAA" }, at: "/content/4" },
      {
        type: "image",
        role: "referenceImage",
        source: { type: "asset", id: "k", kind: "identity" },
        at: "/content/5",
      },
    ]);
  });

  test("a native body is stored with its media cut short and its addresses without credentials", () => {
    fc.assert(
      fc.property(fc.base64String({ minLength: 4, maxLength: 4000 }), (data) => {
        const content = [{ type: "imageBase64", data, mediaType: "image/png" }, text];
        const kept = storableContent(nativeVideoSchema.parse(body({ content })).content);
        expect(kept).toHaveLength(2);
        expect(kept[0]).toMatchObject({ type: "imageBase64", mediaType: "image/png" });
        expect(String(kept[0]?.data).length).toBeLessThan(100);
        expect(data.startsWith(String(kept[0]?.data).split("…", 1)[0] ?? "?")).toBe(true);
        expect(kept[1]).toEqual(text);
      }),
    );
    const content = nativeVideoSchema.parse(
      body({ content: [{ type: "videoUrl", url: "https://u:p@example.com/a" }] }),
    );
    expect(storableContent(content.content)).toEqual([{ type: "videoUrl", url: https }]);
  });
});

describe("a chat-style body", () => {
  const chat = (more: object) => ({ model: "m", prompt: "a lighthouse", ...more });

  test.each<[string, unknown[], unknown[]]>([
    ["model", ["m"], ["", 1, undefined]],
    ["prompt", ["p", "p".repeat(32_000)], ["", "p".repeat(32_001), 1, undefined]],
    ["seconds", [4, "4", "12", 1], [0, "0", "4.5", 4.5, "four", "", null, -1]],
    ["size", ["720x1280", "1280x720", "1024x1792", "1792x1024"], ["1920x1080", 720]],
    ["input_reference", [{ image_url: https }], [https, {}, { image_url: https, file_id: "f" }]],
    ["n", [undefined], [1]],
    ["resolution", [undefined], ["720p"]],
    ["stream", [undefined], [false]],
  ])("a chat-style body has the field %s", (field, taken, refused) => {
    for (const value of taken)
      expect(faults(chatstyleVideoSchema, JSON.parse(JSON.stringify(chat({ [field]: value }))))).toEqual([]);
    for (const value of refused)
      expect(faults(chatstyleVideoSchema, chat({ [field]: value }))).toEqual([field]);
  });

  test.each<[string, object]>([
    ["input_reference.file_id", { file_id: "f" }],
    ["input_reference.image_url", { image_url: "data:image/png;base64,AAAA" }],
    ["input_reference.detail", { image_url: https, detail: "low" }],
  ])("a chat-style body is refused with %s", (field, input_reference) => {
    expect(faults(chatstyleVideoSchema, chat({ input_reference }))).toEqual([field]);
  });

  test.each([
    ["720x1280", "720p", "9:16"],
    ["1280x720", "720p", "16:9"],
    ["1024x1792", "1080p", "9:16"],
    ["1792x1024", "1080p", "16:9"],
  ])("a chat-style body of size %s becomes %s and %s", (size, resolution, ratio) => {
    const sent = chat({ size, seconds: "8", input_reference: { image_url: https } });
    expect(decodeChatstyleVideo(chatstyleVideoSchema.parse(sent))).toEqual({
      model: "m",
      duration: 8,
      resolution,
      ratio,
      parts: [
        { ...text, at: "/prompt" },
        {
          type: "image",
          role: "referenceImage",
          source: { type: "url", url: https },
          at: "/input_reference/image_url",
        },
      ],
    });
  });
});
