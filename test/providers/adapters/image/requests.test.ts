import type { JsonObject } from "@manifold-gateway/core/codec";
import { checkImage, type ImageAsk, type PartSource } from "@manifold-gateway/core/operations";
import { imageModels, type Wire } from "@manifold-gateway/providers";
import { expect, test } from "vitest";
import { json } from "../speech/line.ts";
import { model, submit } from "./harness.ts";
import { address, askOf, everything, inline, PNG } from "./kit.ts";

const { outputFormat: _, ...unformatted } = everything;

/** What each wire is sent, and where. */
const requests: [wire: Wire, ask: ImageAsk, path: string, body: object][] = [
  ["chatstyle", askOf(), "/v1/images/generations", { model, prompt: "a lighthouse" }],
  [
    "chatstyle",
    askOf(everything),
    "/v1/images/generations",
    {
      model,
      prompt: "a lighthouse",
      n: 3,
      size: "2048x2048",
      quality: "high",
      output_format: "png",
      output_compression: 50,
      background: "transparent",
      response_format: "b64_json",
      style: "vivid",
      moderation: "low",
    },
  ],
  [
    "chatstyle",
    askOf({}, address, inline),
    "/v1/images/edits",
    {
      model,
      prompt: "a lighthouse",
      images: [{ image_url: "https://example.com/a.png" }, { image_url: `data:image/png;base64,${PNG}` }],
    },
  ],
  [
    "ratiostyle",
    askOf({
      size: "1024x1024",
      extra: { protocol: "chatstyle", fields: { aspect_ratio: "16:9", novel: 1 } },
    }),
    "/v1/images/generations",
    { model, prompt: "a lighthouse", aspect_ratio: "16:9", resolution: "1k", novel: 1 },
  ],
  [
    "routerstyle",
    askOf({ extra: { protocol: "chatstyle", fields: { aspect_ratio: "16:9", seed: 7, novel: 1 } } }),
    "/api/v1/images",
    { model, prompt: "a lighthouse", aspect_ratio: "16:9", seed: 7 },
  ],
  [
    "mediastyle",
    askOf({
      extra: {
        protocol: "chatstyle",
        fields: {
          watermark: true,
          guidance_scale: 3,
          seed: "7",
          sequential_image_generation: "auto",
          novel: 1,
        },
      },
    }),
    "/api/v3/images/generations",
    { model, prompt: "a lighthouse", watermark: true, guidance_scale: 3, seed: 7 },
  ],
  ["mediastyle", askOf(), "/api/v3/images/generations", { model, prompt: "a lighthouse", watermark: false }],
  [
    "mediastyle",
    askOf(everything, inline),
    "/api/v3/images/generations",
    {
      model,
      prompt: "a lighthouse",
      image: `data:image/png;base64,${PNG}`,
      size: "2048x2048",
      guidance_scale: 4,
      output_format: "png",
      background: "transparent",
      response_format: "b64_json",
      watermark: true,
      optimize_prompt_options: { mode: "fast" },
      sequential_image_generation: "auto",
      sequential_image_generation_options: { max_images: 3 },
    },
  ],
  [
    "mediastyle",
    askOf(
      { ...unformatted, outputFormat: "jpeg", numberOfImages: 1, optimizePromptOptions: {} },
      address,
      inline,
    ),
    "/api/v3/images/generations",
    {
      model,
      prompt: "a lighthouse",
      image: ["https://example.com/a.png", `data:image/png;base64,${PNG}`],
      size: "2048x2048",
      guidance_scale: 4,
      background: "transparent",
      response_format: "b64_json",
      watermark: true,
    },
  ],
  [
    "genstyle",
    askOf({ ...everything, size: "1920x1080", numberOfImages: 1 }, inline),
    "/v1beta/models/their-model:generateContent",
    {
      contents: [
        {
          role: "user",
          parts: [{ text: "a lighthouse" }, { inlineData: { mimeType: "image/png", data: PNG } }],
        },
      ],
      generationConfig: {
        responseModalities: ["IMAGE"],
        imageConfig: { aspectRatio: "16:9", imageSize: "1K" },
      },
    },
  ],
  [
    "pixelstyle",
    askOf({ ...everything, extra: { protocol: "chatstyle", fields: { steps: 4, seed: 7 } } }),
    "/v1/images/generations",
    {
      model,
      prompt: "a lighthouse",
      n: 3,
      width: 2048,
      height: 2048,
      output_format: "png",
      response_format: "base64",
      steps: 4,
      seed: 7,
    },
  ],
  [
    "pixelstyle",
    askOf({ size: "auto", responseFormat: "url" }, inline),
    "/v1/images/generations",
    {
      model,
      prompt: "a lighthouse",
      response_format: "url",
      image_url: `data:image/png;base64,${PNG}`,
    },
  ],
  [
    "ratiostyle",
    askOf({ ...everything, size: "1920x1080" }),
    "/v1/images/generations",
    {
      model,
      prompt: "a lighthouse",
      n: 3,
      response_format: "b64_json",
      aspect_ratio: "16:9",
      resolution: "1k",
      moderation: "low",
    },
  ],
  [
    "ratiostyle",
    askOf({}, inline),
    "/v1/images/edits",
    { model, prompt: "a lighthouse", image: { url: `data:image/png;base64,${PNG}`, type: "image_url" } },
  ],
  [
    "ratiostyle",
    askOf({ size: "auto" }, address, inline),
    "/v1/images/edits",
    {
      model,
      prompt: "a lighthouse",
      images: [
        { url: "https://example.com/a.png", type: "image_url" },
        { url: `data:image/png;base64,${PNG}`, type: "image_url" },
      ],
    },
  ],
  [
    "routerstyle",
    askOf(everything, address),
    "/api/v1/images",
    {
      model,
      prompt: "a lighthouse",
      n: 3,
      size: "2048x2048",
      quality: "high",
      background: "transparent",
      output_format: "png",
      output_compression: 50,
      input_references: [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }],
    },
  ],
];

test.each(requests)("the request to %s is built for %j", async (wire, ask, path, body) => {
  const { got } = await submit(wire, [json({})], ask);
  expect(got).toEqual([expect.objectContaining({ method: "POST", path, body })]);
  expect(got[0]?.headers.authorization).toBe("Bearer speech-key");
});

test("a mask travels beside the pictures, in a form or in JSON", async () => {
  const masked = (source: PartSource): ImageAsk => {
    const ask = askOf({}, source);
    return { ...ask, images: [...ask.images, { at: "/mask", source: inline, role: "mask" }] };
  };
  const [form] = (await submit("chatstyle", [json({})], masked(inline))).got;
  expect(form?.text.match(/name="[^"]*"; filename/g)).toEqual([
    'name="image"; filename',
    'name="mask"; filename',
  ]);
  const [linked] = (await submit("chatstyle", [json({})], masked(address))).got;
  expect(linked?.body).toMatchObject({
    images: [{ image_url: "https://example.com/a.png" }],
    mask: { image_url: `data:image/png;base64,${PNG}` },
  });
});

test.each<[fields: JsonObject, size: string, imageConfig: object]>([
  [{ aspect_ratio: "9:16", resolution: "4k" }, "auto", { aspectRatio: "9:16", imageSize: "4K" }],
  [{ aspect_ratio: "16:9" }, "2048x2048", { aspectRatio: "16:9", imageSize: "2K" }],
])(
  "the words of generate content for a shape are sent beside a size, and win: %j",
  async (fields, size, config) => {
    const ask = askOf({ size, extra: { protocol: "chatstyle", fields } });
    const { got } = await submit("genstyle", [json({})], ask);
    expect(got[0]?.body).toMatchObject({ generationConfig: { imageConfig: config } });
  },
);

test("a named size leaves the ratio of an edited picture as it is", async () => {
  const { got } = await submit("ratiostyle", [json({})], askOf({ size: "2k" }, inline));
  expect(got[0]?.body).toMatchObject({ resolution: "2k" });
  expect(got[0]?.body).not.toHaveProperty("aspect_ratio");
});

test.each([
  [askOf({ size: "2K" }), /^size: must be <width>x<height>/],
  [askOf({}, address, inline), /^images: .* takes one picture$/],
])("what width, height and one address do not express is refused: %j", async (ask, message) => {
  const { end, got } = await submit("pixelstyle", [json({})], ask);
  expect(end).toMatchObject({ trouble: { kind: "refused", message: expect.stringMatching(message) } });
  expect(got).toEqual([]);
});

test.each(["genstyle", "mediastyle", "pixelstyle", "ratiostyle"] as const)(
  "a size that is left to the model is not sent: %s",
  async (wire) => {
    const { got } = await submit(wire, [json({})], askOf({ size: "auto" }));
    expect(got).toHaveLength(1);
    expect(got[0]?.text).not.toContain("auto");
  },
);

test.each<[size: string, models: string[], shape: object]>([
  ["512", ["gemini-3.1-flash-image"], { imageSize: "512" }],
  ["512x512", ["gemini-3.1-flash-image"], { aspectRatio: "1:1", imageSize: "512" }],
  ["2896x362", ["gemini-3.1-flash-image"], { aspectRatio: "8:1", imageSize: "1K" }],
  [
    "1024x1536",
    ["gemini-3-pro-image", "gemini-3.1-flash-image", "gemini-3.1-flash-lite-image"],
    { aspectRatio: "2:3", imageSize: "1K" },
  ],
  [
    "728x728",
    ["gemini-3-pro-image", "gemini-3.1-flash-image", "gemini-3.1-flash-lite-image"],
    { aspectRatio: "1:1", imageSize: "1K" },
  ],
  ["4K", ["gemini-3-pro-image", "gemini-3.1-flash-image"], { imageSize: "4K" }],
])("the size %s is taken by %j, as the shape that they have", async (size, models, imageConfig) => {
  const ask = askOf({ size });
  const named = Object.entries(imageModels).filter(([, { wire }]) => wire === "genstyle");
  const takes = named.filter(([, { capabilities }]) => checkImage(capabilities, ask).length === 0);
  expect(takes.map(([name]) => name)).toEqual(models);
  const { got } = await submit("genstyle", [json({})], ask);
  expect(got[0]?.body).toHaveProperty("generationConfig", { responseModalities: ["IMAGE"], imageConfig });
});

test("pictures given as bytes travel in a form", async () => {
  const { got } = await submit("chatstyle", [json({})], askOf({ numberOfImages: 2 }, inline, inline));
  const [{ headers, text, path } = { headers: {}, text: "", path: "" }] = got;
  expect(path).toBe("/v1/images/edits");
  expect(headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
  expect(text.match(/name="image\[\]"; filename="image-\d\.png"\r\nContent-Type: image\/png/g)).toHaveLength(
    2,
  );
  expect(text).toMatch(/name="n"\r\n\r\n2\r\n/);
});
