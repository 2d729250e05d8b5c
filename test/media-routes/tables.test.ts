import { samples } from "@manifold/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Harness, type Json, startHarness } from "./harness.ts";

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

/** What a body is changed by, and what that gets: nothing for a success, else what the first error says. */
type Row = readonly [change: Json, refused?: RegExp];

const image = { type: "imageUrl", url: "https://files.example.com/a.png" };
const video = { type: "videoUrl", url: "https://files.example.com/a.mp4" };
const audio = { type: "audioUrl", url: "https://files.example.com/a.mp3", role: "referenceAudio" };
const words = { type: "text", text: "A lighthouse." };
const png = samples.png(640, 640).toString("base64");
const part = (one: object): Json => ({ content: [words, one] });
const parts = (...all: object[]): Json => ({ content: [words, ...all] });
const gone = (name: string): Json => ({ [name]: undefined });
const long = (length: number): string => "x".repeat(length);

/** Each value of a field as a row of its own. */
const good = (name: string, ...values: unknown[]): Row[] => values.map((value) => [{ [name]: value }]);
const bad = (name: string, ...values: unknown[]): Row[] =>
  values.map((value) => [{ [name]: value }, new RegExp(`^${name}`)]);
const within = (name: string, least: number, most: number): Row[] => [
  ...good(name, least, most),
  ...bad(name, least - 1, most + 1, least + 0.5, String(least), null, [least]),
];
const flag = (name: string): Row[] => [...good(name, true, false), ...bad(name, "true", 1, null)];
const oneOf = (name: string, ...words: unknown[]): Row[] => [
  ...good(name, ...words),
  ...bad(name, "other", 7.5, null),
];

const tables: Record<string, { path: string; body: Json; status: number; rows: Row[] }> = {
  "images of the model with every field": {
    path: "/api/v1/image/generations/async",
    body: { model: "image", content: [words] },
    status: 202,
    rows: [
      [{}],
      [{ unknownField: 1, another: { deep: true } }],
      [gone("model"), /^model/],
      [{ model: "" }, /^model/],
      [{ model: "nobody" }, /^model: 'nobody' is not a model/],
      [{ model: "video" }, /^model: 'video' does not make images/],
      [{ model: "image-unpriced" }, /^model: no price is configured for 'image-unpriced'/],
      ...bad("content", [], undefined, "words", {}),
      [part({ type: "other" }), /^content\.1\.type/],
      [part({ type: "text" }), /^content\.1\.text/],
      [part(image)],
      [part({ type: "imageUrl" }), /^content\.1\.url/],
      [part({ ...image, url: "ftp://files.example.com/a" }), /^content\.1\.url/],
      [
        part({ ...image, url: "http://10.0.0.1/a.png" }),
        /^content\.1\.url: must be on the public internet.*image/,
      ],
      [part({ ...image, url: "http://localhost/a.png" }), /^content\.1\.url: must be on the public internet/],
      [part({ ...image, url: "http://[::1]/a.png" }), /^content\.1\.url: must be on the public internet/],
      [part({ type: "imageBase64", data: png, mediaType: "image/png" })],
      [part({ type: "imageBase64", data: `data:image/png;base64,${png}` })],
      [part({ type: "imageBase64", data: png }), /^content\.1\.mediaType/],
      [part({ type: "imageBase64", data: png, mediaType: "image/svg+xml" }), /^content\.1\.mediaType/],
      [part({ type: "imageBase64", data: "not base64!", mediaType: "image/png" }), /^content\.1\.data/],
      [part({ type: "imageAssetId", assetId: "nobodys" }), /^content\.1\.assetId.*'nobodys'.*image/],
      ...good("size", "1024x1024", "2048x2048"),
      ...bad("size", "0x10", "1024", "10x10", "-1x5", 1024),
      ...within("numberOfImages", 1, 15),
      [{ ...parts(image, image), numberOfImages: 13 }],
      [{ ...parts(image, image), numberOfImages: 14 }, /15/],
      ...bad("guidanceScale", 0.9, 10.1, "5", 5),
      ...good("outputFormat", "jpeg"),
      ...bad("outputFormat", "png", "webp", "gif"),
      ...good("quality", "auto", "high", "medium", "low"),
      ...bad("quality", "best"),
      ...bad("background", "transparent", "opaque", "auto", "other"),
      ...bad("outputCompression", 0, 100, 101, -1),
      ...oneOf("responseFormat", "url", "b64_json"),
      ...flag("watermark"),
      [{ optimizePromptOptions: { mode: "standard" } }],
      [{ optimizePromptOptions: { mode: "fast" } }],
      [{ optimizePromptOptions: { mode: "slow" } }, /^optimizePromptOptions\.mode/],
      ...good("maxTokens", 1, 4096),
      ...bad("maxTokens", 0, 1.5, "1"),
    ],
  },
  "images of the family with qualities": {
    path: "/api/v1/image/generations/async",
    body: { model: "image-chat", content: [words] },
    status: 202,
    rows: [
      ...good("quality", "auto", "high", "medium", "low"),
      ...oneOf("outputFormat", "png", "jpeg", "webp"),
      ...good("background", "opaque", "auto", "transparent"),
      [{ background: "transparent", outputFormat: "png" }],
      [{ background: "transparent", outputFormat: "webp" }],
      [{ background: "transparent", outputFormat: "jpeg" }, /^background/],
      [{ outputFormat: "webp", outputCompression: 0 }],
      [{ outputFormat: "jpeg", outputCompression: 100 }],
      [{ outputFormat: "jpeg", outputCompression: 101 }, /^outputCompression/],
      [{ outputFormat: "webp", outputCompression: -1 }, /^outputCompression/],
      [{ outputFormat: "png", outputCompression: 50 }, /^outputCompression/],
      ...within("numberOfImages", 1, 10),
      [{ guidanceScale: 5 }, /^guidanceScale.*image-chat/],
      [{ optimizePromptOptions: { mode: "fast" } }, /^optimizePromptOptions.*image-chat/],
      ...good("responseFormat", "url", "b64_json"),
      ...good("watermark", true),
    ],
  },
  "images of the family with guidance": {
    path: "/api/v1/image/generations/async",
    body: { model: "image-guided", content: [words] },
    status: 202,
    rows: [
      ...good("guidanceScale", 1, 2.5, 10),
      ...bad("guidanceScale", 0.99, 10.01, "5", null),
      [{ numberOfImages: 2 }, /^numberOfImages.*image-guided/],
      [part(image), /^content\.1.*image-guided/],
    ],
  },
  "videos of the second series": {
    path: "/api/v1/video/estimate",
    body: { model: "video", content: [words] },
    status: 200,
    rows: [
      [{}],
      [{ unknownField: 1 }],
      [gone("model"), /^model/],
      [{ model: "image" }, /^model: 'image' does not make videos/],
      ...bad("content", [], undefined),
      ...within("duration", 4, 15),
      ...oneOf("resolution", "480p", "720p", "1080p", "4k"),
      ...good("ratio", "16:9", "9:16", "adaptive"),
      ...bad("ratio", "2:1", "", 16),
      ...flag("generateAudio"),
      ...good("seed", -1, 0, 2 ** 31 - 1),
      ...bad("seed", -2, 1.5, "1"),
      ...flag("watermark"),
      ...bad("cameraFixed", true, false, "true"),
      ...bad("maxTokens", 1, 0, "1"),
      [part(image)],
      [part({ ...image, role: "firstFrame" })],
      [part({ ...image, role: "lastFrame" }), /^content\.1.*last/],
      [parts({ ...image, role: "firstFrame" }, { ...image, role: "lastFrame" })],
      [parts({ ...image, role: "firstFrame" }, { ...image, role: "firstFrame" }), /^content\.2/],
      [parts({ ...image, role: "firstFrame" }, image), /^content\.2.*reference/],
      [part({ ...image, role: "other" }), /^content\.1\.role/],
      [parts(...Array(9).fill(image))],
      [parts(...Array(10).fill(image)), /^content\.10/],
      [part(video)],
      [parts(video, video, video, video), /^content\.4/],
      [part(audio), /^content\.1: audio cannot be sent alone.*video/],
      [parts(audio, image)],
      [parts(audio, video)],
      [part({ ...audio, role: undefined }), /^content\.1\.role/],
      [part({ ...audio, role: "other" }), /^content\.1\.role/],
      [parts(image, { type: "audioBase64", data: "AAAA", mediaType: "audio/mpeg" })],
      [parts(image, { type: "audioBase64", data: "AAAA", mediaType: "audio/wav" })],
      [parts(image, { type: "audioBase64", data: "AAAA" }), /^content\.2\.mediaType/],
      [
        parts(image, { type: "audioBase64", data: "AAAA", mediaType: "audio/flac" }),
        /^content\.2\.mediaType/,
      ],
      [
        part({ ...image, url: "https://192.168.1.1/a.png" }),
        /^content\.1\.url: must be on the public internet/,
      ],
      [part({ type: "kycImageAssetId", assetId: "nobodys" }), /^content\.1\.assetId.*video/],
      [part({ type: "kycVideoAssetId", assetId: "nobodys" }), /^content\.1\.assetId/],
      [parts(image, { type: "kycAudioAssetId", assetId: "nobodys" }), /^content\.2\.assetId/],
      [part({ type: "videoAssetId", assetId: "nobodys" }), /^content\.1\.assetId/],
      [{ content: [{ type: "text", text: "A boat --duration 15" }] }, /^content\.0.*--duration/],
    ],
  },
  "videos of a silent model": {
    path: "/api/v1/video/estimate",
    body: { model: "video-silent", content: [words] },
    status: 200,
    rows: [
      ...good("cameraFixed", true, false),
      ...bad("generateAudio", true),
      ...within("duration", 2, 12),
      ...good("resolution", "480p", "720p", "1080p"),
      ...bad("resolution", "4k"),
      [{ ratio: "adaptive" }, /^ratio.*video-silent/],
      [{ ...part({ ...image, role: "firstFrame" }), ratio: "adaptive" }],
      [part(image), /^content\.1.*video-silent/],
      [part(video), /^content\.1.*video-silent/],
      [part({ type: "kycImageAssetId", assetId: "any" }), /^content\.1.*video-silent/],
    ],
  },
  readings: {
    path: "/api/v1/audio/text-to-speech",
    body: { voiceType: "en_female_dacey_uranus_bigtts", text: "Hello." },
    status: 202,
    rows: [
      [{}],
      ...bad("voiceType", undefined, "", "nobody", 1),
      ...good("text", "a", long(1000)),
      ...bad("text", undefined, "", long(1001), 1),
      ...oneOf("format", "mp3", "ogg_opus", "pcm"),
      ...bad("format", "wav"),
      ...oneOf("sampleRate", 8000, 16000, 22050, 24000, 32000, 44100, 48000),
      ...bad("sampleRate", 11025),
      ...within("speechRate", -50, 100),
      ...within("loudnessRate", -50, 100),
      ...within("pitch", -12, 12),
      ...within("silenceDuration", 0, 30_000),
      ...flag("enableLanguageDetector"),
      ...oneOf(
        "explicitLanguage",
        "zh",
        "zh-cn",
        "en",
        "ja",
        "es",
        "es-mx",
        "id",
        "pt-br",
        "ko",
        "it",
        "de",
        "fr",
      ),
      ...flag("disableMarkdownFilter"),
      ...flag("disableEmojiFilter"),
      ...good("contextTexts", [], ["Whisper."]),
      ...bad("contextTexts", ["a", "b"], "a", [1]),
    ],
  },
  "generations with reference": {
    path: "/api/v1/audio/generation-with-reference",
    body: { model: "seed-audio-1.0-multilingual", textPrompt: "Say hello." },
    status: 202,
    rows: [
      [{}],
      ...bad("model", undefined, "seed-tts-2.0"),
      ...good("textPrompt", "a", long(3000)),
      ...bad("textPrompt", undefined, "", long(3001)),
      ...good(
        "references",
        [],
        [{ speaker: "en_female_dacey_uranus_bigtts" }],
        [{ odd: "shape" }, 1, "text"],
      ),
      ...bad("references", [{}, {}, {}, {}], {}, "text"),
      ...oneOf("format", "mp3", "wav", "ogg_opus", "pcm"),
      ...oneOf("sampleRate", 8000, 16000, 24000, 32000, 44100, 48000),
      ...bad("sampleRate", 22050),
      ...within("speechRate", -50, 100),
      ...within("loudnessRate", -50, 100),
      ...within("pitchRate", -12, 12),
      ...flag("enableSubtitle"),
    ],
  },
  "chat-style videos": {
    path: "/api/chatstyle/v1/videos",
    body: { model: "video-router", prompt: "A boat. [[outcome:running=0]]" },
    status: 200,
    rows: [
      [{}],
      [gone("model"), /^model/],
      ...good("prompt", "a", long(32_000)),
      ...bad("prompt", undefined, "", long(32_001)),
      ...good("seconds", 4, 15, "8"),
      ...bad("seconds", 3, 16, "4.5", 4.5, "soon", ""),
      ...oneOf("size", "720x1280", "1280x720"),
      ...bad("size", "1024x1024"),
      [{ input_reference: { image_url: image.url } }],
      [{ input_reference: { file_id: "file-1" } }, /^input_reference\.file_id/],
      [{ input_reference: { image_url: image.url, file_id: "file-1" } }, /^input_reference/],
      [{ input_reference: {} }, /^input_reference/],
      [
        { input_reference: { image_url: "http://10.1.1.1/a.png" } },
        /^input_reference\.image_url: must be on the public/,
      ],
      [{ quality: "high" }, /^quality/],
      [{ model: "video" }, /^model: 'video'/],
    ],
  },
  "chat-style embeddings": {
    path: "/api/chatstyle/v1/embeddings",
    body: { model: "embed-chat", input: "words" },
    status: 200,
    rows: [
      [{}],
      [gone("model"), /^model/],
      ...good("input", ["one", "two"], Array(128).fill("x")),
      ...bad("input", undefined, "", [], [""], Array(129).fill("x"), {}),
      ...good("dimensions", 16, 256),
      ...bad("dimensions", 0, -1, 1.5, "16"),
      ...good("encoding_format", "float", "base64"),
      ...bad("encoding_format", "other"),
      [{ input: [{ content: [{ type: "imageUrl", url: image.url }] }] }, /^input/],
    ],
  },
  "messages-style embeddings": {
    path: "/api/msgstyle/v1/embeddings",
    body: { model: "embed-media", input: ["words"] },
    status: 200,
    rows: [
      [{}],
      [
        {
          input: [
            {
              content: [
                { type: "text", text: "a" },
                { type: "imageBase64", data: png, mediaType: "image/png" },
              ],
            },
          ],
        },
      ],
      [
        { input: [{ content: [{ type: "imageBase64", data: png, mediaType: "image/tiff" }] }] },
        /^input\.0\.content\.0/,
      ],
      [{ input: [{ content: [{ type: "videoUrl", url: video.url }] }] }, /^input\.0\.content\.0/],
      [{ input: [{ content: [{ type: "fileUrl", url: video.url }] }] }, /^input\.0\.content\.0/],
      [{ input: [{ content: [] }] }, /^input\.0/],
      ...good("encoding_format", "float"),
    ],
  },
  "one generate-content embedding": {
    path: "/api/genstyle/v1beta/models/embed-generate:embedContent",
    body: { contents: { parts: [{ text: "words" }] } },
    status: 200,
    rows: [
      [{}],
      [{ config: { outputDimensionality: 256 } }],
      [{ config: { outputDimensionality: 0 } }, /outputDimensionality/],
      [{ config: { taskType: "RETRIEVAL_QUERY" } }, /^config\.taskType/],
      [{ config: { title: "A" } }, /^config\.title/],
      [gone("contents"), /^contents/],
      [{ contents: { parts: [] } }, /^contents/],
      [{ contents: { parts: Array(6).fill({ inlineData: { mimeType: "image/png", data: png } }) } }],
      [{ contents: { parts: [{ fileData: { fileUri: "files/a" } }] } }, /^contents\.parts\.0/],
    ],
  },
  "many generate-content embeddings": {
    path: "/api/genstyle/v1beta/models/embed-generate:batchEmbedContents",
    body: {
      requests: [{ content: { parts: [{ text: "one" }] } }, { content: { parts: [{ text: "two" }] } }],
    },
    status: 200,
    rows: [
      [{}],
      [{ requests: [] }, /^requests/],
      [gone("requests"), /^(requests|contents)/],
      [{ requests: [{}] }, /^requests\.0/],
      [
        {
          requests: [
            { content: { parts: [{ text: "one" }] }, outputDimensionality: 128 },
            { content: { parts: [{ text: "two" }] }, outputDimensionality: 256 },
          ],
        },
        /^requests\.1\.outputDimensionality/,
      ],
    ],
  },
  "chat-style images": {
    path: "/api/chatstyle/v1/images/generations",
    body: { model: "image-chat", prompt: "A door." },
    status: 200,
    rows: [
      [{}],
      [gone("model"), /^model/],
      ...bad("prompt", undefined, "", 1),
      ...good("n", 1, 2),
      ...bad("n", 0, 11, 1.5, "2"),
      ...good("size", "1024x1024", "auto"),
      ...bad("size", "1x1"),
      ...good("quality", "high"),
      ...bad("quality", "best"),
      ...good("output_format", "webp"),
      ...bad("output_format", "gif"),
      ...good("background", "transparent"),
      ...good("response_format", "b64_json", "url"),
      ...bad("response_format", "png"),
      ...bad("stream", "true"),
      [{ provider: { only: ["nobody"] } }, /^provider/],
      [{ provider: { only: ["chatstyle"] } }],
    ],
  },
};

for (const [name, { path, body, status, rows }] of Object.entries(tables))
  describe(name, () => {
    const named = rows.map(([change, refused]) => {
      const text = JSON.stringify(change, (_, value: unknown) => (value === undefined ? "(absent)" : value));
      return [text.length > 120 ? `${text.slice(0, 120)}…` : text, change, refused] as const;
    });
    it.each(named)("%s", async (_, change, refused) => {
      const before = await h.money();
      const response = await h.call(path, { ...body, ...change });
      const answer = (await response.json()) as Json;
      if (!refused) return expect([response.status, answer.errors]).toEqual([status, undefined]);
      expect(response.status, JSON.stringify(answer)).toBe(400);
      expect(answer.errors.join("\n")).toMatch(new RegExp(refused, "m"));
      expect((await h.money()).held).toBeLessThanOrEqual(before.held);
      return undefined;
    });
  });

describe("context texts", () => {
  it("are refused for voices of the first series", async () => {
    const { voices } = await h.json("/api/v1/audio/voices?resourceId=seed-tts-1.0");
    const body = { voiceType: voices[0].voiceType, text: "Hello.", contextTexts: ["Whisper."] };
    const { errors } = await h.json("/api/v1/audio/text-to-speech", body, 400);
    expect(errors[0]).toMatch(/^contextTexts.*seed-tts-1\.0/);
  });
});

describe("voices", () => {
  it.each([
    ["gender=female", 1],
    ["age=adult", 1],
    ["category=General", 1],
    ["language=en", 1],
    ["language=en-US", 1],
    ["resourceId=seed-tts-2.0", 1],
    ["gender=male&resourceId=seed-tts-2.0&language=de", 1],
    ["language=xx", 0],
  ])("by %s", async (query, least) => {
    const { voices, total } = await h.json(`/api/v1/audio/voices?${query}`);
    expect(voices).toHaveLength(total);
    expect(total).toBeGreaterThanOrEqual(least);
  });
  it.each(["gender=other", "age=old", "category=general", "language=not%20one", "resourceId=seed-tts-3.0"])(
    "refuse %s",
    async (query) => {
      const { errors } = await h.json(`/api/v1/audio/voices?${query}`, undefined, 400);
      expect(errors[0]).toMatch(new RegExp(`^${query.split("=")[0]}`));
    },
  );
});

describe("reads", () => {
  it.each([
    "/api/v1/image/generations/async/nobodys",
    "/api/v1/video/tasks/nobodys",
    "/api/v1/audio/generations/nobodys",
    "/api/v1/kyc/user/assets/nobodys",
    "/api/chatstyle/v1/videos/nobodys",
    "/api/chatstyle/v1/videos/nobodys/content",
  ])("404 for %s", async (path) => {
    const { errors } = await h.json(path, undefined, 404);
    expect(errors[0]).toMatch(/nobodys/);
  });
  it("403 for a file without its signature", async () => {
    await h.json("/api/objects/some/file", undefined, 403);
  });
});
