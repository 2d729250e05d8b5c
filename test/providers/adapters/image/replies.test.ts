import { adapters, type Wire } from "@manifold-gateway/providers";
import { describe, expect, test } from "vitest";
import { json, NOW } from "../speech/line.ts";
import { error, lineTo, submit } from "./harness.ts";
import { askOf } from "./kit.ts";

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
    "chatstyle",
    {
      data: [
        { b64_json: "data:image/webp;base64,AAAA" },
        { url: "DATA:image/jpeg;base64,BBBB" },
        { b64_json: "CCCC", media_type: "image/jpeg", url: "" },
      ],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 20,
        total_tokens: 30,
        prompt_tokens_details: { image_tokens: 4 },
        completion_tokens_details: { image_tokens: 18 },
      },
    },
    {
      images: [
        { b64: "AAAA", mediaType: "image/webp" },
        { b64: "BBBB", mediaType: "image/jpeg" },
        { b64: "CCCC", mediaType: "image/jpeg", url: "" },
      ],
      usage: {
        generatedImages: 3,
        inputTokens: 10,
        outputTokens: 20,
        totalTokens: 30,
        inputImageTokens: 4,
        outputImageTokens: 18,
      },
    },
  ],
  [
    "routerstyle",
    { data: [{ url: "data:image/png;base64,AAAA" }] },
    { images: [{ b64: "AAAA", mediaType: "image/png" }], usage: { generatedImages: 1 } },
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

test.each(["chatstyle", "ratiostyle"] as const)(
  "the path of a picture on %s is an address of the provider",
  async (wire) => {
    const { line } = await lineTo(wire, [json({ data: [{ url: "/v1/images/7/content" }] })]);
    expect(await adapters.image[wire]!.submit(line, askOf())).toMatchObject({
      result: { images: [{ url: `${line.service.origin}/v1/images/7/content` }] },
    });
  },
);

test.each(replies)("a reply of %s is read as pictures", async (wire, reply, result) => {
  const { end } = await submit(wire, [json(reply)]);
  expect(end).toEqual({ state: "succeeded", result });
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

test.each(troubles)("the failure of a picture is read: %s %i %j", async (wire, status, body, trouble) => {
  const { end } = await submit(wire, [json(body, status)]);
  expect(end).toMatchObject({ state: "failed", trouble });
  expect(JSON.stringify(end)).not.toContain("speech-key");
});

test.each(["chatstyle", "pixelstyle", "routerstyle", "ratiostyle"] as const)(
  "an error with a status of success is one: %s",
  async (wire) => {
    const body = { error: { message: "No endpoints.", code: 404 } };
    const { end } = await submit(wire, [json(body)]);
    expect(end).toMatchObject({ state: "failed", trouble: { status: 404, body } });
    const odd = await submit(wire, [json({ error: "Broken." })]);
    expect(odd.end).toMatchObject({ state: "failed", trouble: { status: 502, message: "Broken." } });
  },
);

describe("the pause that a provider asks for", () => {
  test.each([
    ["7", 7000],
    ["0", 0],
    ["99999", 3_600_000],
    [new Date(NOW + 30_000).toUTCString(), 30_000],
  ])("a retry-after of %s is waited for", async (header, retryAfter) => {
    const { end } = await submit("mediastyle", [
      json(error("ServerOverloaded"), 429, { "retry-after": header }),
    ]);
    expect(end).toMatchObject({ trouble: { retryAfter } });
  });

  test("a retry-after that is nonsense is ignored", async () => {
    const { end } = await submit("mediastyle", [json({}, 503, { "retry-after": "soon" })]);
    expect(end).toEqual({
      state: "failed",
      trouble: expect.not.objectContaining({ retryAfter: expect.anything() }),
    });
  });
});
