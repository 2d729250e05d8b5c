import { samples } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../support/caller.ts";
import { KEY, OTHER_KEY } from "../../support/holder.ts";
import { startMediaStage } from "../../support/media.ts";
import type { Stage } from "../../support/stage.ts";

let h: Stage;
beforeAll(async () => {
  h = await startMediaStage();
});
afterAll(() => h.close());

const content = [{ type: "text", text: "A lighthouse." }];
const ended = ({ status }: Json): boolean => status === "succeeded" || status === "failed";

describe("media requests under an Idempotency-Key", () => {
  it.each([
    ["/api/v1/image/generations/async", { model: "image", content }, "generationId"],
    ["/api/v1/image/generations", { model: "image", content }, "images"],
    ["/api/v1/video/generations", { model: "video", content }, "taskId"],
    [
      "/api/v1/audio/text-to-speech",
      { voiceType: "en_female_dacey_uranus_bigtts", text: "Hello." },
      "generationId",
    ],
    [
      "/api/v1/audio/generation-with-reference",
      { model: "seed-audio-1.0-multilingual", textPrompt: "Say hello." },
      "generationId",
    ],
    ["/api/chatstyle/v1/images/generations", { model: "image", prompt: "A door." }, "data"],
    ["/api/chatstyle/v1/videos", { model: "video-router", prompt: "A boat." }, "id"],
    ["/api/msgstyle/v1/embeddings", { model: "embed-chat", input: "words" }, "data"],
  ])("a repeat under an Idempotency-Key is not done again: %s", async (path, body, member) => {
    const headers = { "idempotency-key": `once ${path}`.replaceAll(" ", "-") };
    const first = await h.call(path, body, { headers });
    const again = await h.call(path, body, { headers });
    expect(first.ok).toBe(true);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.headers.get("x-generation-id")).toBe(first.headers.get("x-generation-id"));
    expect(((await again.json()) as Json)[member]).toEqual(((await first.json()) as Json)[member]);
    const other = await h.call(
      path,
      JSON.parse(JSON.stringify(body).replace(/lighthouse|Hello|hello|door|boat|words/, "other")),
      { headers },
    );
    expect(other.status).toBe(422);
  });
});

describe("changed media requests", () => {
  const body = { model: "image", content, quality: "high" };
  const path = "/api/v1/image/generations/async";
  it("a change to a request is reported, recorded or refused, as the caller wants", async () => {
    const told = await h.call(path, body);
    expect([told.status, told.headers.get("x-losses")]).toEqual([202, "/quality;unsupported"]);
    const allowed = await h.call(path, body, { headers: { "x-loss-policy": "allow" } });
    expect([allowed.status, allowed.headers.get("x-losses")]).toEqual([202, null]);
    const { errors } = await h.json(path, body, 400, { headers: { "x-loss-policy": "strict" } });
    expect(errors[0]).toMatch(/^quality: .*'image'/);
  });
});

describe("links", () => {
  it("links open in whole, in part and by HEAD to every holder, and not with a changed letter", async () => {
    const { images } = await h.json("/api/v1/image/generations", { model: "image", content });
    const link: string = images[0].downloadUrl;
    const whole = await fetch(link);
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(whole.headers.get("content-type")).toBe("image/jpeg");
    expect(whole.headers.get("content-length")).toBe(String(bytes.length));
    const part = await fetch(link, { headers: { range: "bytes=-10" } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(-10));
    const head = await fetch(link, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)]);
    expect((await fetch(link, { headers: { range: `bytes=${bytes.length}-` } })).status).toBe(416);
    for (const changed of [
      link.replace("type=image", "type=text"),
      `${link}&more=1`,
      link.replace(/.(?=\?)/, "0x"),
    ])
      expect((await fetch(changed)).status).toBe(403);
  });

  it("links are made anew on each read of a job", async () => {
    let ahead = 0;
    const own = await startMediaStage({ now: () => Date.now() + ahead });
    try {
      const order = { model: "image", content };
      const { generationId } = await own.json("/api/v1/image/generations/async", order, 202);
      const path = `/api/v1/image/generations/async/${generationId}`;
      const linkIn = ({ result }: Json): string => result.images[0].downloadUrl;
      const first = linkIn(await own.until(path, ended));
      ahead = 60_000;
      const second = linkIn(await own.json(path));
      expect(second).not.toBe(first);
      for (const link of [first, second]) expect((await fetch(link)).status).toBe(200);
    } finally {
      await own.close();
    }
  });
});

describe("media requests that cannot begin", () => {
  it("an order that the balance does not cover is refused, and nothing begins", async () => {
    const poor = await startMediaStage({ credit: 1_000 });
    try {
      const { errors } = await poor.json("/api/v1/image/generations/async", { model: "image", content }, 403);
      expect(errors[0]).toMatch(/balance/);
      expect(await poor.balance()).toEqual({ balance: 1_000, held: 0 });
      await poor.json("/api/v1/video/estimate", { model: "video", content });
    } finally {
      await poor.close();
    }
  });

  it("an immediate failure of the provider is an answer with its reason, at no cost", async () => {
    // Jobs of earlier tests may still hold credit.
    await h.settled();
    const before = await h.balance();
    const words = [{ type: "text", text: "A lighthouse. [[outcome:refuse=moderation]]" }];
    const image = await h.json("/api/v1/image/generations", { model: "image", content: words }, 400);
    expect(image.errors[0]).toMatch(/./);
    const video = await h.json("/api/v1/video/generations", { model: "video", content: words }, 400);
    expect(video.errors[0]).toMatch(/./);
    const async = await h.json("/api/v1/image/generations/async", { model: "image", content: words }, 202);
    const job = await h.until(`/api/v1/image/generations/async/${async.generationId}`, ended);
    expect(job).toMatchObject({ status: "failed", error: expect.stringMatching(/./) });
    expect(await h.balance()).toEqual(before);
    const { results } = await h.json("/api/compat/v1/usage?limit=1");
    expect(results[0]).toMatchObject({ id: async.generationId, status: "failed", usdCost: 0 });
  });

  it("every media route needs a credential, except links", async () => {
    for (const path of ["/api/v1/audio/voices", "/api/v1/video/tasks/any", "/api/chatstyle/v1/videos/any"])
      expect((await fetch(h.origin + path)).status).toBe(401);
    const bearer = await fetch(`${h.origin}/api/v1/audio/voices`, {
      headers: { authorization: `Bearer ${KEY}` },
    });
    expect(bearer.status).toBe(200);
  });
});

describe("cancelled work", () => {
  it("work is cancelled at no cost where its provider can stop it, and by its owner only", async () => {
    await h.settled();
    const before = await h.balance();
    const words = [{ type: "text", text: "A boat. [[outcome:queued=1000]]" }];
    const { taskId } = await h.json("/api/v1/video/generations", { model: "video", content: words });
    const path = `/api/v1/video/tasks/${taskId}`;
    await h.json(path, undefined, 404, { method: "DELETE", headers: { "x-api-key": OTHER_KEY } });
    await h.json(path, undefined, 200, { method: "DELETE" });
    const task = await h.until(path, ({ status }) => status === "cancelled");
    expect(task.error).toBeUndefined();
    expect(await h.balance()).toEqual(before);
  });

  it("work that has ended is not changed by cancelling", async () => {
    const { generationId } = await h.json(
      "/api/v1/image/generations/async",
      { model: "image", content },
      202,
    );
    const path = `/api/v1/image/generations/async/${generationId}`;
    await h.until(path, ended);
    expect(await h.json(path, undefined, 200, { method: "DELETE" })).toMatchObject({ status: "succeeded" });
  });
});

it("files are served on the web-standard face too", async () => {
  const { images } = await h.json("/api/v1/image/generations", { model: "image", content });
  const response = await h.gateway.fetch(
    new Request(images[0].downloadUrl, { headers: { range: "bytes=0-1" } }),
  );
  expect(response.status).toBe(206);
  expect(Buffer.from(await response.arrayBuffer()).toString("hex")).toBe("ffd8");
});

it("inline media of a request are stored shortened, in its task and in its record", async () => {
  const data = samples.png(640, 640).toString("base64");
  const words = { type: "text", text: "A boat." };
  const body = { model: "video", content: [words, { type: "imageBase64", data, mediaType: "image/png" }] };
  const task = await h.json("/api/v1/video/generations", body);
  expect(task.content[1]).toMatchObject({ type: "imageBase64", mediaType: "image/png" });
  expect(task.content[1].data.length).toBeLessThan(100);
  expect(await h.json(`/api/v1/video/tasks/${task.taskId}`)).toMatchObject({ content: task.content });
  const { results } = await h.json("/api/compat/v1/usage?limit=1");
  expect(JSON.stringify(results[0].request).length).toBeLessThan(500);
});

it("a stream of pictures has the headers of a stream", async () => {
  const body = { model: "image-chat", prompt: "A door.", stream: true, partial_images: 1 };
  const response = await h.call("/api/chatstyle/v1/images/generations", body);
  expect(await response.text()).toContain("event: image_generation.completed");
  const names = ["content-type", "cache-control", "connection"];
  expect(names.map((name) => response.headers.get(name))).toEqual([
    "text/event-stream",
    "no-cache, no-transform",
    "keep-alive",
  ]);
});

it("a stream of pictures that is refused before it begins is an ordinary answer", async () => {
  const body = {
    model: "image-chat",
    prompt: "A door. [[outcome:refuse=moderation]]",
    stream: true,
    partial_images: 1,
  };
  const { error } = await h.json("/api/chatstyle/v1/images/generations", body, 400);
  expect(error).toMatchObject({ code: "moderation_blocked" });
});

describe("losses of a request for pictures", () => {
  const generations = "/api/chatstyle/v1/images/generations";
  it.each(["image-chat", "image"])(
    "the shape of the answer is the service's to give, and never a loss: %s",
    async (model) => {
      for (const [response_format, member] of [
        ["url", "url"],
        ["b64_json", "b64_json"],
      ] as const) {
        const answer = await h.call(generations, { model, prompt: "A door.", response_format });
        expect([answer.status, answer.headers.get("x-losses")]).toEqual([200, null]);
        expect(Object.keys(((await answer.json()) as Json).data[0])).toContain(member);
      }
    },
  );

  it("the end user is named to a provider that takes it, and reported as a loss elsewhere", async () => {
    const ask = (model: string) => h.call(generations, { model, prompt: "A door.", user: "alice" });
    expect((await ask("image-chat")).headers.get("x-losses")).toBeNull();
    expect(h.simulator.ledger.last()?.request).toMatchObject({ user: "alice" });
    const answer = await ask("image");
    expect([answer.status, answer.headers.get("x-losses")]).toEqual([200, "/user;unsupported"]);
  });
});
