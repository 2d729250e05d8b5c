import type { VideoAsk } from "@manifold-gateway/core/operations";
import type { Wire } from "@manifold-gateway/providers";
import { describe, expect, test } from "vitest";
import { askOf, audio, bytes, image, text, video } from "../../../core/operations/video/kit.ts";
import { json, NOW } from "../speech/line.ts";
import { model, submit, task } from "./harness.ts";

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
    "sound of a prediction",
    "predictstyle",
    askOf([text()], { generateAudio: false, duration: 4 }),
    "/v1/models/maker%2Ftheir-model:predictLongRunning",
    {
      instances: [{ prompt: "a lighthouse" }],
      parameters: { durationSeconds: 4, generateAudio: false },
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

test.each(requests)("the request to %s is built for %s", async (_, wire, ask, path, body) => {
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
  ])("a deadline %i seconds away is sent as %i", async (seconds, told) => {
    const deadline = NOW + seconds * 1000;
    const { got } = await submit("mediastyle", [json({ id: "t" })], askOf([text()]), { deadline });
    expect(got[0]?.body).toMatchObject({ execution_expires_after: told });
  });
});

describe("inline video", () => {
  const ask = askOf([text(), video(bytes("video/mp4"))]);

  test("an inline video is sent as an address where it can have one", async () => {
    const published: [number, string][] = [];
    const publish = async (content: Uint8Array, mediaType: string) => {
      published.push([content.length, mediaType]);
      return "https://ours/short-lived";
    };
    const { got } = await submit("mediastyle", [json({ id: "t" })], ask, { publish });
    expect(published).toEqual([[3, "video/mp4"]]);
    expect(got[0]?.body).toMatchObject({ content: [{}, { video_url: { url: "https://ours/short-lived" } }] });
  });

  test("an inline video is refused where it can have no address", async () => {
    const { end, got } = await submit("mediastyle", [json({ id: "t" })], ask);
    expect(end).toMatchObject({ state: "failed", trouble: { kind: "refused", message: /^content\.1: / } });
    expect(got).toEqual([]);
  });
});
