import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createCatalog } from "@manifold-gateway/gateway";
import { defineProvider } from "@manifold-gateway/providers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../../support/caller.ts";
import { listen } from "../../support/listen.ts";
import { startMediaStage } from "../../support/media.ts";
import { models } from "../../support/media-models.ts";
import type { Stage } from "../../support/stage.ts";

const SECRET = "provider-credential-0123456789";
/** Models of the harness, at a provider that answers what a test tells it to. */
const MOVED = ["image-chat", "image-generate", "image", "video-router", "video"];

interface Told {
  status: number;
  body?: string;
  headers?: Record<string, string>;
}

let told: Told;
let calls = 0;
const warned: string[] = [];
let h: Stage;
const upstream = createServer((request, response) => {
  calls += 1;
  request.resume().on("end", () => {
    const { status, body = "", headers } = told;
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  });
});

beforeAll(async () => {
  const { origin } = await listen(upstream);
  const wires = ["chatstyle", "genstyle", "mediastyle", "routerstyle"] as const;
  const log = { info() {}, warn: (_: object, text: string) => void warned.push(text), error() {} };
  h = await startMediaStage({
    providers: wires.map((wire) =>
      defineProvider(`told-${wire}`, {
        origin,
        speaks: ["chatstyle"],
        serves: { image: wire, ...(wire !== "chatstyle" && { video: wire }) },
        key: SECRET,
      }),
    ),
    log,
    routing: { circuit: { failures: 1_000 } },
    catalog: createCatalog(
      models
        .filter(({ id }) => MOVED.includes(id))
        .map((model) => ({
          ...model,
          entries: model.entries.map((entry) => ({ ...entry, provider: `told-${entry.provider}` })),
        })),
    ),
  });
});
afterAll(async () => {
  await h.close();
  upstream.closeAllConnections();
  upstream.close();
});
beforeEach(() => {
  calls = 0;
  warned.length = 0;
});

const IMAGES = "/api/chatstyle/v1/images/generations";
const EDITS = "/api/chatstyle/v1/images/edits";
const VIDEOS = "/api/chatstyle/v1/videos";
const picture = `data:image/png;base64,${Buffer.from("not looked into").toString("base64")}`;
const orders: [path: string, body: object][] = [
  [IMAGES, { model: "image-chat", prompt: "A boat." }],
  [IMAGES, { model: "image-chat", prompt: "A boat.", stream: true }],
  [EDITS, { model: "image-chat", prompt: "At night.", images: [{ image_url: picture }] }],
  [IMAGES, { model: "image", prompt: "A boat." }],
  [VIDEOS, { model: "video-router", prompt: "A boat.", seconds: "5" }],
];

/** Sends an order that comes to nothing, and sees that nothing was charged or kept from its caller. */
async function failed(path: string, body: object): Promise<{ response: Response; answer: Json }> {
  const before = await h.balance();
  const response = await h.call(path, body);
  const answer = (await response.json()) as Json;
  expect(await h.balance()).toEqual({ ...before, held: 0 });
  expect(response.headers.get("x-generation-id")).toMatch(/^[0-9a-f]{32}$/);
  return { response, answer };
}

describe.each(orders)("POST %s of %j", (path, body) => {
  it.each([400, 401, 402, 404, 409, 422, 429, 500, 503, 529])(
    "a %i of the provider is handed on as it came, after one call",
    async (status) => {
      const error = {
        message: `It was ${status}.`,
        type: "some_type",
        code: "some_code",
        param: "prompt",
        own: [1],
      };
      told = { status, body: JSON.stringify({ error, more: true }), headers: { "retry-after": "7" } };
      const { response, answer } = await failed(path, body);
      expect([response.status, answer]).toEqual([status, { error, more: true }]);
      expect(response.headers.get("x-error-source")).toBe("provider");
      expect(response.headers.get("retry-after")).toBe("7");
      expect(calls).toBe(1);
    },
  );

  it("an error page of the provider is a 502 in the envelope, whatever its status", async () => {
    for (const status of [400, 500]) {
      told = { status, body: "<html>proxy</html>", headers: { "content-type": "text/html" } };
      const { response, answer } = await failed(path, body);
      expect([response.status, answer.code]).toEqual([502, "provider_failed"]);
      expect(response.headers.get("x-error-source")).toBe("service");
      expect(JSON.stringify(answer)).not.toContain("html");
    }
    expect(calls).toBe(2);
  });

  it("a redirect is not followed with an order that may have begun", async () => {
    told = { status: 307, headers: { location: "/elsewhere" } };
    const { response, answer } = await failed(path, body);
    expect([response.status, answer.errors]).toEqual([
      502,
      ["The provider returned a redirect, which is never followed."],
    ]);
    expect([calls, warned]).toEqual([1, ["job submission failed"]]);
  });
});

it("an error of a provider with another protocol is in the surface's shape, with its status", async () => {
  const error = { code: 400, message: "No such thing.", status: "INVALID_ARGUMENT" };
  told = { status: 400, body: JSON.stringify({ error }) };
  const { response, answer } = await failed(IMAGES, { model: "image-generate", prompt: "A boat." });
  expect(response.status).toBe(400);
  expect(answer.error).toMatchObject({ message: "No such thing.", type: expect.any(String) });
  expect(answer.errors).toBeUndefined();
});

it("an error that repeats the operator's credential reaches the caller without it", async () => {
  told = { status: 401, body: JSON.stringify({ error: { message: `No key ${SECRET}.` } }) };
  const { answer } = await failed(IMAGES, { model: "image-chat", prompt: "A boat." });
  expect(answer).toEqual({ error: { message: "No key [redacted]." } });
});

it("an unreachable provider is a 502 at once", async () => {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  const provider = defineProvider("gone", {
    origin: `http://127.0.0.1:${port}`,
    speaks: ["chatstyle"],
    serves: { image: "chatstyle" },
  });
  const chat = models.find(({ id }) => id === "image-chat")!;
  const entries = chat.entries.map((entry) => ({ ...entry, provider: "gone" }));
  const other = await startMediaStage({
    providers: [provider],
    catalog: createCatalog([{ ...chat, entries }]),
    // Another try would come after the test has given up.
    media: { jobs: { retry: { initial: 60_000, max: 60_000 } } },
  });
  const { errors } = await other.json(IMAGES, { model: "image-chat", prompt: "A boat." }, 502);
  expect(errors).toEqual(["The provider could not be reached."]);
  await other.close();
});

it("the native surface retries temporary errors, and reports them in the envelope", async () => {
  told = { status: 503, body: JSON.stringify({ error: { message: "Busy." } }) };
  const body = { model: "image", content: [{ type: "text", text: "A boat." }] };
  const { errors } = await h.json("/api/v1/image/generations", body, 503);
  expect([errors, calls]).toEqual([["Busy."], 4]);
});

it("an error within a stream of pictures is the provider's, with its status before the first picture", async () => {
  const error = {
    message: "Blocked.",
    type: "image_generation_user_error",
    code: "moderation_blocked",
    param: null,
  };
  const event = (data: { type: string }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const failure = event({ type: "error", error } as { type: string });
  const headers = { "content-type": "text/event-stream" };
  const body = { model: "image-chat", prompt: "A boat.", stream: true };
  told = { status: 200, body: failure, headers };
  const { response, answer } = await failed(IMAGES, body);
  expect([response.status, answer]).toEqual([400, { error }]);
  const partial = { type: "image_generation.partial_image", b64_json: "AAAA", partial_image_index: 0 };
  told = { status: 200, body: event(partial) + failure, headers };
  const text = await (await h.call(IMAGES, body)).text();
  expect(text.slice(text.indexOf("event: error"))).toBe(failure);
});
