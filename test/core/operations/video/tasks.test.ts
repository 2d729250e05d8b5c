import { encodeChatstyleVideo, encodeNativeVideo, type VideoResult } from "@manifold-gateway/core/operations";
import { expect, test } from "vitest";

const result: VideoResult = {
  urls: ["https://theirs/v"],
  downloadUrl: "https://ours/v",
  assetId: "a1",
  usage: { completionTokens: 9, totalTokens: 9, usdCost: 0.2, providerUsage: { tool_usage: {} } },
};
const task = {
  taskId: "t",
  generationId: "g",
  providerId: "p",
  model: "m",
  content: [{ type: "text", text: "x" }],
};
const { usage } = result;

test.each([
  ["queued", {}],
  ["running", {}],
  ["succeeded", { videoUrl: "https://theirs/v", downloadUrl: "https://ours/v", assetId: "a1", usage }],
  ["failed", { error: "why" }],
  ["cancelled", {}],
] as const)("a native task that is %s shows only the members of its state", (state, more) => {
  const shown = encodeNativeVideo({
    ...task,
    state,
    ...(state === "succeeded" && { result }),
    error: "why",
    createdAt: "2026-01-01T00:00:00Z",
  });
  expect(shown).toEqual({ ...task, status: state, createdAt: "2026-01-01T00:00:00Z", ...more });
});

test.each([
  ["queued", false, { status: "in_progress" }],
  ["running", false, { status: "in_progress" }],
  [
    "succeeded",
    false,
    {
      status: "completed",
      unsigned_urls: ["https://ours/c"],
      usage: { completion_tokens: 9, total_tokens: 9 },
    },
  ],
  ["failed", false, { status: "failed", error: "why" }],
  ["failed", true, { status: "expired", error: "why" }],
  ["cancelled", false, { status: "cancelled" }],
] as const)(
  "a chat-style job that is %s, expired: %s, shows only the members of its state",
  (state, expired, more) => {
    const urls = ["https://ours/c"];
    const shown = encodeChatstyleVideo({
      id: "j",
      pollingUrl: "https://ours/j",
      state,
      expired,
      result,
      urls,
      error: "why",
    });
    expect(shown).toEqual({ id: "j", polling_url: "https://ours/j", ...more });
  },
);
