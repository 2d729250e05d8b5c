import type { VideoAsk } from "@manifold/core";
import { adapters, type Line, type Service, UpstreamFault, type Wire } from "@manifold/providers";
import { describe, expect, test } from "vitest";
import { askOf, audio, bytes, image, text, video } from "../../operations/video/kit.ts";
import { cut, json, NOW, pieces, startLine } from "../speech/line.ts";

const bases: Partial<Record<Wire, string>> = {
  mediastyle: "/api/v3",
  genstyle: "/v1beta",
  routerstyle: "/api/v1",
};
const model = "maker/their-model";
type Answers = Parameters<typeof startLine>[0];

function lineTo(wire: Wire, answers: Answers, more: Partial<Line> = {}) {
  const base = bases[wire] ?? "";
  const service: Partial<Service> = { wire, base, auth: { header: "authorization", scheme: "Bearer" } };
  return startLine(answers, service, { model, ...more });
}
async function submit(wire: Wire, answers: Answers, ask: VideoAsk, more: Partial<Line> = {}) {
  const { line, got } = await lineTo(wire, answers, more);
  return { end: await adapters.video[wire]!.submit(line, ask), got };
}
async function poll(wire: Wire, answers: Answers) {
  const { line, got } = await lineTo(wire, answers);
  return { end: await adapters.video[wire]!.poll!(line, "id/1"), got };
}

const registered = { type: "asset", id: "k", kind: "identity", registered: "asset-9" } as const;
const url = "https://example.com/a";
const all: Partial<VideoAsk> = {
  duration: 8,
  resolution: "4k",
  ratio: "16:9",
  generateAudio: true,
  seed: 7,
  watermark: true,
  cameraFixed: true,
};
const mine = { model, watermark: false, safety_identifier: "pseudonym" };
const task = "/api/v3/contents/generations/tasks";
const options = (watermark: boolean) => ({ options: { maker: { watermark } } });

/** What each wire is sent, and where. */
const requests: [what: string, wire: Wire, ask: VideoAsk, path: string, body: object][] = [
  [
    "words",
    "mediastyle",
    askOf([text()]),
    task,
    { ...mine, content: [{ type: "text", text: "a lighthouse" }] },
  ],
  [
    "every parameter",
    "mediastyle",
    askOf([text("one"), text("two")], all),
    task,
    {
      ...mine,
      content: [{ type: "text", text: "one\ntwo" }],
      duration: 8,
      resolution: "4k",
      ratio: "16:9",
      generate_audio: true,
      seed: 7,
      watermark: true,
      camera_fixed: true,
    },
  ],
  [
    "frames, to which the ratio adapts",
    "mediastyle",
    askOf([image("lastFrame"), text(), image("firstFrame", bytes("image/png"))]),
    task,
    {
      ...mine,
      ratio: "adaptive",
      content: [
        { type: "text", text: "a lighthouse" },
        { type: "image_url", image_url: { url }, role: "last_frame" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" }, role: "first_frame" },
      ],
    },
  ],
  [
    "references of every kind, roles always said",
    "mediastyle",
    askOf([
      image("referenceImage"),
      image("referenceImage", registered),
      video(),
      video(registered),
      audio(bytes("audio/mp3")),
    ]),
    task,
    {
      ...mine,
      content: [
        { type: "image_url", image_url: { url }, role: "reference_image" },
        { type: "image_url", image_url: { url: "asset://asset-9" }, role: "reference_image" },
        { type: "video_url", video_url: { url }, role: "reference_video" },
        { type: "video_url", video_url: { url: "asset://asset-9" }, role: "reference_video" },
        { type: "audio_url", audio_url: { url: "data:audio/mp3;base64,AAAA" }, role: "reference_audio" },
      ],
    },
  ],
  [
    "every parameter",
    "routerstyle",
    askOf([text()], all),
    "/api/v1/videos",
    {
      model,
      prompt: "a lighthouse",
      duration: 8,
      resolution: "4K",
      aspect_ratio: "16:9",
      generate_audio: true,
      seed: 7,
      provider: options(true),
    },
  ],
  [
    "frames",
    "routerstyle",
    askOf([image("firstFrame"), image("lastFrame")], { ratio: "adaptive" }),
    "/api/v1/videos",
    {
      model,
      frame_images: [
        { type: "image_url", image_url: { url }, frame_type: "first_frame" },
        { type: "image_url", image_url: { url }, frame_type: "last_frame" },
      ],
      provider: options(false),
    },
  ],
  [
    "references",
    "routerstyle",
    askOf([text(), image("referenceImage"), video(), audio()]),
    "/api/v1/videos",
    {
      model,
      prompt: "a lighthouse",
      input_references: [
        { type: "image_url", image_url: { url } },
        { type: "video_url", video_url: { url } },
        { type: "audio_url", audio_url: { url } },
      ],
      provider: options(false),
    },
  ],
  [
    "frames and every parameter",
    "genstyle",
    askOf([text(), image("firstFrame", bytes("image/png")), image("lastFrame", bytes("image/jpeg"))], all),
    "/v1beta/models/maker%2Ftheir-model:predictLongRunning",
    {
      instances: [
        {
          prompt: "a lighthouse",
          image: { bytesBase64Encoded: "AAAA", mimeType: "image/png" },
          lastFrame: { bytesBase64Encoded: "AAAA", mimeType: "image/jpeg" },
        },
      ],
      parameters: { aspectRatio: "16:9", resolution: "4k", durationSeconds: 8, seed: 7 },
    },
  ],
  [
    "references",
    "genstyle",
    askOf([text(), image("referenceImage", bytes("image/png"))]),
    "/v1beta/models/maker%2Ftheir-model:predictLongRunning",
    {
      instances: [
        {
          prompt: "a lighthouse",
          referenceImages: [
            { image: { bytesBase64Encoded: "AAAA", mimeType: "image/png" }, referenceType: "asset" },
          ],
        },
      ],
      parameters: {},
    },
  ],
];

test.each(requests)("%s for %s", async (_, wire, ask, path, body) => {
  const { end, got } = await submit(wire, [json({ id: "t1", name: "t1", status: "pending" }, 202)], ask);
  expect(end).toEqual({ id: "t1" });
  expect(got).toEqual([expect.objectContaining({ method: "POST", path, body })]);
});

describe("a deadline", () => {
  test.each([
    [2 * 3600, 7200],
    [60, 3600],
    [1e6, 259_200],
    [-5, 3600],
  ])("%i seconds away is told as %i", async (seconds, told) => {
    const deadline = NOW + seconds * 1000;
    const { got } = await submit("mediastyle", [json({ id: "t" })], askOf([text()]), { deadline });
    expect(got[0]?.body).toMatchObject({ execution_expires_after: told });
  });
});

describe("inline video", () => {
  const ask = askOf([text(), video(bytes("video/mp4"))]);

  test("is given an address where there is one to give", async () => {
    const published: [number, string][] = [];
    const publish = async (content: Uint8Array, mediaType: string) => {
      published.push([content.length, mediaType]);
      return "https://ours/short-lived";
    };
    const { got } = await submit("mediastyle", [json({ id: "t" })], ask, { publish });
    expect(published).toEqual([[3, "video/mp4"]]);
    expect(got[0]?.body).toMatchObject({ content: [{}, { video_url: { url: "https://ours/short-lived" } }] });
  });

  test("is refused where there is none", async () => {
    const { end, got } = await submit("mediastyle", [json({ id: "t" })], ask);
    expect(end).toMatchObject({ state: "failed", trouble: { kind: "refused", message: /^content\.1: / } });
    expect(got).toEqual([]);
  });
});

const usage = { completion_tokens: 108900, total_tokens: 108900, tool_usage: { web_search: 0 } };
const sample = { video: { uri: "https://elsewhere/v1beta/files/a" } };

/** What each wire says of work, and what that means. */
const states: [wire: Wire, reply: object, progress: object][] = [
  ["mediastyle", { status: "queued" }, { state: "queued" }],
  ["mediastyle", { status: "running" }, { state: "running" }],
  ["mediastyle", { status: "dreaming" }, { state: "running" }],
  ["mediastyle", {}, { state: "running" }],
  [
    "mediastyle",
    { status: "succeeded", content: { video_url: "https://x/v" }, usage, duration: 5 },
    {
      state: "succeeded",
      result: {
        urls: ["https://x/v"],
        usage: { completionTokens: 108900, totalTokens: 108900, durationSeconds: 5, providerUsage: usage },
      },
    },
  ],
  [
    "mediastyle",
    { status: "cancelled" },
    { state: "cancelled", trouble: { kind: "expired", message: "The video was cancelled." } },
  ],
  [
    "mediastyle",
    { status: "expired" },
    { state: "failed", trouble: { kind: "expired", message: "expired" } },
  ],
  [
    "mediastyle",
    {
      status: "failed",
      error: { code: "OutputVideoSensitiveContentDetected.PolicyViolation", message: "no" },
    },
    {
      state: "failed",
      trouble: {
        kind: "moderated",
        code: "OutputVideoSensitiveContentDetected.PolicyViolation",
        message: "OutputVideoSensitiveContentDetected.PolicyViolation: no",
      },
    },
  ],
  [
    "mediastyle",
    { status: "failed", error: { code: "InternalServiceError", message: "oops" } },
    {
      state: "failed",
      trouble: { kind: "unavailable", code: "InternalServiceError", message: "InternalServiceError: oops" },
    },
  ],
  ["routerstyle", { status: "pending" }, { state: "queued" }],
  ["routerstyle", { status: "in_progress" }, { state: "running" }],
  ["routerstyle", { status: "toString" }, { state: "running" }],
  [
    "routerstyle",
    { status: "completed", unsigned_urls: ["https://theirs"], usage: { cost: 0.35, is_byok: false } },
    {
      state: "succeeded",
      result: { urls: [], usage: { usdCost: 0.35, providerUsage: { cost: 0.35, is_byok: false } } },
    },
  ],
  ["routerstyle", { status: "completed" }, { state: "succeeded", result: { urls: [] } }],
  [
    "routerstyle",
    { status: "failed", error: "oops" },
    { state: "failed", trouble: { kind: "unavailable", message: "oops" } },
  ],
  [
    "routerstyle",
    { status: "failed", error: "OutputVideoSensitiveContentDetected: no" },
    {
      state: "failed",
      trouble: {
        kind: "moderated",
        code: "OutputVideoSensitiveContentDetected",
        message: "OutputVideoSensitiveContentDetected: no",
      },
    },
  ],
  [
    "routerstyle",
    { status: "cancelled" },
    { state: "cancelled", trouble: { kind: "expired", message: "The video was cancelled." } },
  ],
  [
    "routerstyle",
    { status: "expired" },
    { state: "failed", trouble: { kind: "expired", message: "expired" } },
  ],
  ["genstyle", { name: "o" }, { state: "running" }],
  [
    "genstyle",
    { done: true, response: { generateVideoResponse: { generatedSamples: [sample] } } },
    { state: "succeeded", result: { urls: [] } },
  ],
  [
    "genstyle",
    { done: true, error: { code: 3, message: "bad" } },
    { state: "failed", trouble: { kind: "refused", code: "INVALID_ARGUMENT", message: "bad" } },
  ],
  [
    "genstyle",
    {
      done: true,
      response: { generateVideoResponse: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ["faces"] } },
    },
    { state: "failed", trouble: { kind: "moderated", code: "rai_filtered", message: "faces" } },
  ],
];

test.each(states)("%s says %j", async (wire, reply, progress) => {
  const { end } = await poll(wire, [json({ id: "id/1", ...reply })]);
  expect(end).toEqual(progress);
});

const wires = Object.keys(bases) as Wire[];

describe.each(wires)("%s", (wire) => {
  test("is asked about the id, whatever is in it", async () => {
    const { got } = await poll(wire, [json({})]);
    const path =
      wire === "genstyle"
        ? "/v1beta/id/1"
        : wire === "routerstyle"
          ? "/api/v1/videos/id%2F1"
          : `${task}/id%2F1`;
    expect(got).toEqual([expect.objectContaining({ method: "GET", path })]);
  });

  test.each([
    [429, "unavailable"],
    [500, "unavailable"],
    [504, "unavailable"],
    [401, "misconfigured"],
  ])("when a poll is answered %i the work stands where it stood", async (status, kind) => {
    const { end } = await poll(wire, [json({}, status, { "retry-after": "3" })]);
    expect(end).toMatchObject({ state: "running", trouble: { kind, status, retryAfter: 3000 } });
  });

  test("when a poll is answered nonsense too", async () => {
    expect((await poll(wire, [pieces(["<html>"], "text/html")])).end).toMatchObject({ state: "running" });
  });

  test("work that is not known any more has failed", async () => {
    expect((await poll(wire, [json({}, 404)])).end).toMatchObject({
      state: "failed",
      trouble: { kind: "expired", status: 404 },
    });
  });

  test("a poll that is cut throws", async () => {
    await expect(poll(wire, [cut('{"', "application/json")])).rejects.toBeInstanceOf(UpstreamFault);
  });

  test.each<[string, Answers[number], string]>([
    ["cut", cut('{"id":', "application/json"), "reset"],
    ["not read", json({ status: "pending" }, 202), "encoding"],
    ["a gateway's that lost patience", json({}, 524), "timeout"],
  ])("a submit whose answer is %s is in doubt", async (_, answer, kind) => {
    await expect(submit(wire, [answer], askOf([text()]))).rejects.toMatchObject({ kind });
  });

  test.each([
    [400, "refused"],
    [401, "misconfigured"],
    [402, "misconfigured"],
    [413, "refused"],
    [429, "unavailable"],
    [500, "unavailable"],
  ])("a submit that is answered %i has failed", async (status, kind) => {
    const { end } = await submit(wire, [json({ error: { message: "why" } }, status)], askOf([text()]));
    expect(end).toMatchObject({ state: "failed", trouble: { kind, status } });
  });

  test("an asset that nobody resolved is not sent", async () => {
    const unknown = { type: "asset", id: "k", kind: "output" } as const;
    const { end, got } = await submit(wire, [json({})], askOf([text(), image("referenceImage", unknown)]));
    expect(end).toMatchObject({ state: "failed", trouble: { kind: "refused", message: /^content\.1: / } });
    expect(got).toEqual([]);
  });
});

describe("cancelling a task", () => {
  const cancel = async (answers: Answers) => {
    const { line, got } = await lineTo("mediastyle", answers);
    await adapters.video.mediastyle!.cancel!(line, "t1");
    return got.map(({ method, path }) => [method, path]);
  };

  test("deletes it while it waits", async () => {
    expect(await cancel([json({ status: "queued" }), json({})])).toEqual([
      ["GET", `${task}/t1`],
      ["DELETE", `${task}/t1`],
    ]);
  });

  test.each(["running", "succeeded", "failed", "cancelled", "expired", "odd"])(
    "never deletes one that is %s",
    async (status) => {
      expect(await cancel([json({ status })])).toEqual([["GET", `${task}/t1`]]);
    },
  );
});

describe("the bytes of a video", () => {
  const content = async (wire: Wire, answers: Answers, id = "id/1") => {
    const { line, got } = await lineTo(wire, answers);
    return { opened: await adapters.video[wire]!.content!(line, id, 1), got, line };
  };

  test("are opened at the router with its key", async () => {
    const { opened, got } = await content("routerstyle", [pieces(["film"], "video/mp4")]);
    expect(got[0]).toMatchObject({ path: "/api/v1/videos/id%2F1/content?index=1" });
    expect(got[0]?.headers.authorization).toBe("Bearer speech-key");
    expect("response" in opened && (await opened.response.text())).toBe("film");
  });

  test.each([
    [409, "unavailable"],
    [410, "expired"],
    [404, "misconfigured"],
    [502, "unavailable"],
  ])("that are answered %i are trouble", async (status, kind) => {
    const { opened } = await content("routerstyle", [json({ error: { message: "x" } }, status)]);
    expect(opened).toMatchObject({ trouble: { kind, status } });
  });

  test("never carry the key of a provider to another", async () => {
    const samples = [sample, sample];
    const done = { done: true, response: { generateVideoResponse: { generatedSamples: samples } } };
    const { opened, got } = await content("genstyle", [json(done)], "operations/o");
    expect(opened).toMatchObject({ trouble: { kind: "expired" } });
    expect(got.map(({ path }) => path)).toEqual(["/v1beta/operations/o"]);
  });
});
