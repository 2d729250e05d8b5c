import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ImageAsk, ImagePreview } from "@manifold/core";
import { adapters, type Line, type Service, UpstreamFault, type Wire } from "@manifold/providers";
import { describe, expect, test } from "vitest";
import { cut, json, pieces, startLine } from "../speech/line.ts";
import { address, askOf, everything, inline, PNG, stored } from "./kit.ts";

const bases: Partial<Record<Wire, string>> = {
  chatstyle: "/v1",
  mediastyle: "/api/v3",
  genstyle: "/v1beta",
  routerstyle: "/api/v1",
};
const serviceOf = (wire: Wire): Partial<Service> => ({
  wire,
  base: bases[wire] ?? "",
  auth: { header: "authorization", scheme: "Bearer" },
});
const model = "their-model";
type Answers = Parameters<typeof startLine>[0];

const lineTo = (wire: Wire, answers: Answers, more: Partial<Line> = {}) =>
  startLine(answers, serviceOf(wire), { model, ...more });

async function submit(wire: Wire, answers: Answers, ask: ImageAsk = askOf()) {
  const { line, got } = await lineTo(wire, answers);
  return { end: await adapters.image[wire]!.submit(line, ask), got };
}

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

test.each(requests)("%s is asked for %j", async (wire, ask, path, body) => {
  const { got } = await submit(wire, [json({})], ask);
  expect(got).toEqual([expect.objectContaining({ method: "POST", path, body })]);
  expect(got[0]?.headers.authorization).toBe("Bearer speech-key");
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

/** What each wire answers, and what that is. */
const replies: [wire: Wire, reply: object, result: object][] = [
  [
    "chatstyle",
    {
      created: 1,
      data: [{ b64_json: "AAAA", revised_prompt: "r" }, { url: "https://x/y" }, {}],
      output_format: "webp",
      size: "64x64",
      quality: "low",
      background: "opaque",
      usage: {
        input_tokens: 10,
        output_tokens: 20,
        total_tokens: 30,
        input_tokens_details: { image_tokens: 4, text_tokens: 6 },
      },
    },
    {
      images: [{ b64: "AAAA", mediaType: "image/webp", revisedPrompt: "r" }, { url: "https://x/y" }],
      usage: {
        generatedImages: 2,
        inputTokens: 10,
        outputTokens: 20,
        totalTokens: 30,
        inputImageTokens: 4,
        outputImageTokens: 20,
      },
      outputFormat: "webp",
      size: "64x64",
      quality: "low",
      background: "opaque",
    },
  ],
  [
    "mediastyle",
    {
      data: [
        { url: "https://x/1", size: "2048x2048" },
        { error: { code: "OutputImageSensitiveContentDetected", message: "no" } },
        { b64_json: "AAAA", output_format: "png" },
      ],
      usage: { generated_images: 2, output_tokens: 32768, total_tokens: 32768 },
    },
    {
      images: [
        { url: "https://x/1", size: "2048x2048", mediaType: "image/jpeg" },
        { b64: "AAAA", mediaType: "image/png" },
      ],
      usage: { generatedImages: 2, outputTokens: 32768, totalTokens: 32768 },
      missing: ["OutputImageSensitiveContentDetected: no"],
    },
  ],
  [
    "genstyle",
    {
      candidates: [
        {
          content: {
            parts: [
              { text: "Here." },
              { thought: true, inlineData: { mimeType: "image/png", data: "draft" } },
              { inlineData: { mimeType: "image/png", data: "AAAA" } },
            ],
          },
          finishReason: "STOP",
        },
      ],
      usageMetadata: {
        promptTokenCount: 10,
        candidatesTokenCount: 1120,
        thoughtsTokenCount: 5,
        totalTokenCount: 1135,
        promptTokensDetails: [
          { modality: "TEXT", tokenCount: 6 },
          { modality: "IMAGE", tokenCount: 4 },
        ],
        candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1100 }],
      },
    },
    {
      images: [{ b64: "AAAA", mediaType: "image/png" }],
      usage: {
        generatedImages: 1,
        inputTokens: 10,
        outputTokens: 1125,
        totalTokens: 1135,
        inputImageTokens: 4,
        outputImageTokens: 1100,
      },
    },
  ],
  [
    "routerstyle",
    { data: [{ b64_json: "AAAA", media_type: "image/webp" }], usage: { cost: 0.04 } },
    { images: [{ b64: "AAAA", mediaType: "image/webp" }], usage: { generatedImages: 1, usdCost: 0.04 } },
  ],
];

test.each(replies)("%s answers pictures", async (wire, reply, result) => {
  const { end } = await submit(wire, [json(reply)]);
  expect(end).toEqual({ state: "succeeded", result });
});

const error = (code: unknown, message = "why", more: object = {}): object => ({
  error: { code, message, ...more },
});

/** What each wire answers when it does not, and what that means. */
const troubles: [wire: Wire, status: number, body: object, trouble: object][] = [
  [
    "chatstyle",
    400,
    error(null, "bad size", { type: "invalid_request_error" }),
    { kind: "refused", message: "bad size" },
  ],
  ["chatstyle", 400, error("moderation_blocked"), { kind: "moderated" }],
  ["chatstyle", 401, error("invalid_api_key", "Incorrect key speech-key"), { kind: "misconfigured" }],
  ["chatstyle", 429, error("rate_limit_exceeded"), { kind: "unavailable" }],
  ["chatstyle", 429, error("insufficient_quota"), { kind: "misconfigured" }],
  ["chatstyle", 500, error(null), { kind: "unavailable" }],
  ["chatstyle", 200, { data: [] }, { kind: "unavailable" }],
  [
    "mediastyle",
    400,
    error("InvalidParameter", "bad. Request id: 0217abc"),
    { kind: "refused", message: "bad." },
  ],
  ["mediastyle", 400, error("MissingParameter"), { kind: "refused" }],
  ["mediastyle", 400, error("InputTextSensitiveContentDetected"), { kind: "moderated" }],
  ["mediastyle", 400, error("InputImageSensitiveContentDetected.PrivacyInformation"), { kind: "moderated" }],
  ["mediastyle", 401, error("AuthenticationError"), { kind: "misconfigured" }],
  ["mediastyle", 403, error("AccountOverdueError"), { kind: "misconfigured" }],
  ["mediastyle", 404, error("ModelNotOpen"), { kind: "misconfigured" }],
  ["mediastyle", 404, error("InvalidEndpoint.NotFound"), { kind: "misconfigured" }],
  ["mediastyle", 413, error("RequestTooLarge"), { kind: "refused" }],
  ["mediastyle", 429, error("RateLimitExceeded.EndpointRPMExceeded"), { kind: "unavailable", status: 429 }],
  ["mediastyle", 429, error("ModelAccountRpmRateLimitExceeded"), { kind: "unavailable" }],
  ["mediastyle", 429, error("QuotaExceeded"), { kind: "misconfigured" }],
  ["mediastyle", 429, error("SetLimitExceeded"), { kind: "misconfigured" }],
  ["mediastyle", 429, error("ServerOverloaded"), { kind: "unavailable" }],
  ["mediastyle", 500, error("InternalServiceError"), { kind: "unavailable" }],
  ["mediastyle", 200, { data: [error("OutputImageSensitiveContentDetected")] }, { kind: "moderated" }],
  ["mediastyle", 200, error("InternalServiceError"), { kind: "unavailable" }],
  ["genstyle", 400, error(400, "bad", { status: "INVALID_ARGUMENT" }), { kind: "refused" }],
  ["genstyle", 403, error(403, "x", { status: "PERMISSION_DENIED" }), { kind: "misconfigured" }],
  ["genstyle", 429, error(429, "x", { status: "RESOURCE_EXHAUSTED" }), { kind: "unavailable" }],
  [
    "genstyle",
    200,
    { candidates: [{ finishReason: "IMAGE_SAFETY" }] },
    { kind: "moderated", code: "IMAGE_SAFETY" },
  ],
  ["genstyle", 200, { promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }, { kind: "moderated" }],
  ["genstyle", 200, { candidates: [] }, { kind: "unavailable" }],
  ["routerstyle", 402, error(402), { kind: "misconfigured" }],
  ["routerstyle", 403, error(403, "flagged"), { kind: "moderated", message: "flagged" }],
  ["routerstyle", 529, error(529), { kind: "unavailable" }],
];

test.each(troubles)("%s %i %j", async (wire, status, body, trouble) => {
  const { end } = await submit(wire, [json(body, status)]);
  expect(end).toMatchObject({ state: "failed", trouble });
  expect(JSON.stringify(end)).not.toContain("speech-key");
});

describe("what a provider asks for", () => {
  test.each([
    ["7", 7000],
    ["0", 0],
    ["99999", 3_600_000],
  ])("as retry-after %s is waited for", async (header, retryAfter) => {
    const { end } = await submit("mediastyle", [
      json(error("ServerOverloaded"), 429, { "retry-after": header }),
    ]);
    expect(end).toMatchObject({ trouble: { retryAfter } });
  });

  test("as a date or nonsense is not", async () => {
    const { end } = await submit("mediastyle", [json({}, 503, { "retry-after": "soon" })]);
    expect(end).toEqual({
      state: "failed",
      trouble: expect.not.objectContaining({ retryAfter: expect.anything() }),
    });
  });
});

/** An address where nobody listens any more. */
async function closed(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const wires = Object.keys(adapters.image) as Wire[];

describe.each(wires)("%s, where it is left open whether work has begun", (wire) => {
  test.each<[string, Answers[number], string]>([
    ["a connection that is cut", cut('{"data":', "application/json"), "reset"],
    ["an answer that is no JSON", pieces(["<html>"], "text/html"), "encoding"],
    ["a gateway that lost patience", json({}, 504), "timeout"],
    ["a redirect", json({}, 302, { location: "http://127.0.0.1:1/" }), "redirect"],
  ])("throws of %s", async (_, answer, kind) => {
    const { line } = await lineTo(wire, [answer]);
    const end = adapters.image[wire]!.submit(line, askOf());
    await expect(end).rejects.toBeInstanceOf(UpstreamFault);
    await expect(end).rejects.toMatchObject({ kind });
  });

  test("tells a provider that was never reached apart", async () => {
    const { line } = await lineTo(wire, [], {
      service: { ...serviceOf(wire), wire, origin: await closed() } as Service,
    });
    await expect(adapters.image[wire]!.submit(line, askOf())).rejects.toMatchObject({ kind: "connect" });
  });

  test("and a caller who gave up", async () => {
    const { line } = await lineTo(wire, [json({})], { signal: AbortSignal.abort() });
    await expect(adapters.image[wire]!.submit(line, askOf())).rejects.toMatchObject({ kind: "cancelled" });
  });

  test("an asset that nobody resolved is not sent", async () => {
    const { end, got } = await submit(wire, [json({})], askOf({}, inline, stored));
    expect(end).toMatchObject({ state: "failed", trouble: { kind: "refused", message: /^content\.2: / } });
    expect(got).toEqual([]);
  });
});

describe("several pictures of a wire without a count", () => {
  const picture = json({
    candidates: [{ content: { parts: [{ inlineData: { data: "AAAA", mimeType: "image/png" } }] } }],
  });
  const refusal = json(error(400, "no", { status: "INVALID_ARGUMENT" }), 400);

  test("are as many calls; one that succeeds is enough, and counts alone", async () => {
    const { end, got } = await submit("genstyle", [refusal, picture, refusal], askOf({ numberOfImages: 3 }));
    expect(got).toHaveLength(3);
    expect(end).toMatchObject({
      state: "succeeded",
      result: { images: [{ b64: "AAAA" }], usage: { generatedImages: 1 }, missing: ["no", "no"] },
    });
  });

  test("fail as the first did", async () => {
    const { end } = await submit("genstyle", [refusal], askOf({ numberOfImages: 2 }));
    expect(end).toMatchObject({ state: "failed", trouble: { kind: "refused", message: "no" } });
  });

  test("are in doubt where one got lost and none came", async () => {
    const { line } = await lineTo("genstyle", [refusal, cut("{", "application/json")]);
    await expect(adapters.image.genstyle!.submit(line, askOf({ numberOfImages: 2 }))).rejects.toMatchObject({
      kind: "reset",
    });
  });

  test.each(["3000x500", "100x100"])("of %s come near no size", async (size) => {
    const { end, got } = await submit("genstyle", [picture], askOf({ size }));
    expect(end).toMatchObject({ state: "failed", trouble: { kind: "refused", message: /^size: / } });
    expect(got).toEqual([]);
  });
});

describe("a stream of pictures", () => {
  const event = (type: string, data: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const partial = event("image_generation.partial_image", {
    b64_json: "AA",
    partial_image_index: 0,
    size: "64x64",
  });
  const completed = event("image_generation.completed", {
    b64_json: "AAAA",
    output_format: "png",
    usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  });
  const previews: ImagePreview[] = [];
  const stream = async (answer: Answers[number]) => {
    previews.length = 0;
    const { line, got } = await lineTo("chatstyle", [answer]);
    const submitted = adapters.image.chatstyle!.submit(line, askOf(), (preview) => previews.push(preview));
    return { end: await submitted, got };
  };

  test.each(["", "data: [DONE]\n\n"])(
    "tells previews as they come, and ends with the picture%s",
    async (done) => {
      const { end, got } = await stream(
        pieces([partial.slice(0, 30), partial.slice(30), completed, done], "text/event-stream"),
      );
      expect(got[0]?.body).toMatchObject({ stream: true });
      expect(previews).toEqual([{ b64: "AA", index: 0, size: "64x64" }]);
      expect(end).toMatchObject({
        state: "succeeded",
        result: { images: [{ b64: "AAAA" }], usage: { generatedImages: 1, outputTokens: 2 } },
      });
    },
  );

  test("may be no stream", async () => {
    expect((await stream(json({ data: [{ b64_json: "AAAA" }] }))).end).toMatchObject({ state: "succeeded" });
    expect((await stream(json(error(null, "no"), 400))).end).toMatchObject({
      state: "failed",
      trouble: { message: "no" },
    });
  });

  test("that fails says why; one that ends early is in doubt", async () => {
    const failure = `event: error\ndata: ${JSON.stringify({ type: "error", error: { code: "moderation_blocked", message: "no" } })}\n\n`;
    expect((await stream(pieces([partial, failure], "text/event-stream"))).end).toMatchObject({
      state: "failed",
      trouble: { kind: "moderated", message: "no" },
    });
    await expect(stream(pieces([partial], "text/event-stream"))).rejects.toMatchObject({ kind: "reset" });
    await expect(stream(cut(partial, "text/event-stream"))).rejects.toMatchObject({ kind: "reset" });
  });
});
