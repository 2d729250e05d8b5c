import type { Wire } from "@manifold-gateway/providers";
import { expect, test } from "vitest";
import { json } from "../speech/line.ts";
import { poll, sample } from "./harness.ts";

const usage = { completion_tokens: 108900, total_tokens: 108900, tool_usage: { web_search: 0 } };

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
    "predictstyle",
    { done: true, response: { videos: [{ bytesBase64Encoded: "AAAA", mimeType: "video/mp4" }] } },
    { state: "succeeded", result: { urls: [] } },
  ],
  [
    "predictstyle",
    { done: true, response: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ["faces"] } },
    { state: "failed", trouble: { kind: "moderated", code: "rai_filtered", message: "faces" } },
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
  [
    "genstyle",
    { done: true, response: { raiMediaFilteredCount: 2, raiMediaFilteredReasons: ["faces", "words"] } },
    { state: "failed", trouble: { kind: "moderated", code: "rai_filtered", message: "faces words" } },
  ],
  ...(["genstyle", "predictstyle"] as const).map((wire): (typeof states)[number] => [
    wire,
    { done: true, response: {} },
    {
      state: "failed",
      trouble: {
        kind: "unavailable",
        message: "The provider ended its work without a video and without a reason.",
      },
    },
  ]),
];

test.each(states)("the state of %s is read from %j", async (wire, reply, progress) => {
  const { end } = await poll(wire, [json({ id: "id/1", ...reply })]);
  expect(end).toEqual(progress);
});
