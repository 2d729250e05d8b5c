import { createServer, type ServerResponse } from "node:http";
import { createCatalog } from "@manifold-gateway/gateway";
import { defineProvider } from "@manifold-gateway/providers";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { listen } from "../../support/listen.ts";
import { startMediaStage } from "../../support/media.ts";
import { models } from "../../support/media-models.ts";
import type { Stage } from "../../support/stage.ts";

/** The answer of the provider, once it is asked. */
let asked: Promise<ServerResponse>;
let onAsked: (response: ServerResponse) => void;
let h: Stage;
const upstream = createServer(
  (request, response) => void request.resume().on("end", () => onAsked(response)),
);

beforeAll(async () => {
  const { origin } = await listen(upstream);
  const slow = models
    .filter(({ id }) => id === "image-chat")
    .map((model) => ({ ...model, entries: model.entries.map((entry) => ({ ...entry, provider: "slow" })) }));
  h = await startMediaStage({
    providers: [
      defineProvider("slow", { origin, speaks: [], serves: { image: "chatstyle" }, key: "upstream-secret" }),
    ],
    catalog: createCatalog(slow),
  });
});
afterAll(async () => {
  await h.close();
  upstream.closeAllConnections();
  upstream.close();
});
beforeEach(() => {
  asked = new Promise((resolve) => {
    onAsked = resolve;
  });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => vi.useRealTimers());

const body = { model: "image-chat", prompt: "A boat.", stream: true };
const error = {
  message: "Blocked.",
  type: "image_generation_user_error",
  code: "moderation_blocked",
  param: null,
};
const failure = `event: error\ndata: ${JSON.stringify({ type: "error", error })}\n\n`;

it("a stream of a picture that takes long has a sign of life every 15 seconds, and then an error as an event", async () => {
  const called = h.call("/api/chatstyle/v1/images/generations", body);
  const provider = await asked;
  vi.advanceTimersByTime(30_000);
  const response = await called;
  provider.writeHead(200, { "content-type": "text/event-stream" }).end(failure);
  expect([response.status, await response.text()]).toEqual([200, `: keep-alive\n: keep-alive\n${failure}`]);
});

it("an error within the first 15 seconds has its status", async () => {
  const called = h.call("/api/chatstyle/v1/images/generations", body);
  const provider = await asked;
  vi.advanceTimersByTime(14_999);
  provider.writeHead(200, { "content-type": "text/event-stream" }).end(failure);
  expect((await called).status).toBe(400);
});
