import { samples } from "@manifold-gateway/simulator";
import { expect, test } from "vitest";
import { stage } from "./setup.ts";
import { bytesOf, eventsOf, readPicture } from "./wires.ts";

const set = stage();
const generate = (body: object) =>
  set.post("/api/v3/images/generations", { model: "sim-image-4-0", prompt: "a fox", ...body });
const group = (max_images: number) => ({
  sequential_image_generation: "auto",
  sequential_image_generation_options: { max_images },
});
const data = (bytes: Buffer, format: string) => `data:image/${format};base64,${bytes.toString("base64")}`;
const link = "https://example.test/a.png";

test("a picture comes under a link, billed by the picture and counted by its pixels", async () => {
  const answer = await (await generate({ size: "2304x1728", watermark: false })).json();
  expect(answer).toMatchObject({
    model: "sim-image-4-0",
    created: 1_700_000_000,
    data: [{ size: "2304x1728" }],
    usage: { generated_images: 1, output_tokens: 15_552, total_tokens: 15_552 },
  });
  const file = await fetch(answer.data[0].url);
  expect(readPicture(await bytesOf(file))).toEqual({ type: "jpeg", width: 2304, height: 1728 });
  expect(set.simulator.ledger.mediaJobs()).toMatchObject([
    { billed: { generated_images: 1, output_tokens: 15_552 }, outputs: [{ downloads: 1 }] },
  ]);
});

test("a group has the requested number, a tier is a square, base64 is inline", async () => {
  const answer = await (
    await generate({
      model: "sim-image-5-0",
      size: "3K",
      output_format: "png",
      response_format: "b64_json",
      ...group(3),
    })
  ).json();
  expect(answer.data).toHaveLength(3);
  expect(answer.data[2]).toMatchObject({ size: "3072x3072", output_format: "png" });
  expect(readPicture(Buffer.from(answer.data[2].b64_json, "base64"))).toMatchObject({
    type: "png",
    width: 3072,
  });
  const fewer = await (await generate({ ...group(4), prompt: "x [[outcome:images=2]]" })).json();
  expect([fewer.data.length, fewer.usage.generated_images]).toEqual([2, 2]);
});

test("members fail by themselves; only the others are billed; an internal error ends the group", async () => {
  const mixed = await (await generate({ ...group(3), prompt: "x [[outcome:items=1]]" })).json();
  expect(mixed.data.map((one: object) => Object.keys(one)[0])).toEqual(["url", "error", "url"]);
  expect(mixed.data[1].error.code).toBe("OutputImageSensitiveContentDetected");
  expect(mixed.usage.generated_images).toBe(2);
  const cut = await (await generate({ ...group(4), prompt: "x [[outcome:stop=1]]" })).json();
  expect(cut.data).toMatchObject([{ url: expect.any(String) }, { error: { code: "InternalServiceError" } }]);
  const none = await (await generate({ prompt: "x [[outcome:items=0]]" })).json();
  expect([none.data.length, none.usage.generated_images]).toEqual([1, 0]);
});

test("a stream shows each member as it is finished", async () => {
  const answer = await generate({ ...group(3), stream: true, prompt: "x [[outcome:items=1]]" });
  const events = eventsOf(await answer.text());
  expect(events.map(({ event }) => event)).toEqual([
    "image_generation.partial_succeeded",
    "image_generation.partial_failed",
    "image_generation.partial_succeeded",
    "image_generation.completed",
    undefined,
  ]);
  expect(events[1]!.data).toMatchObject({ image_index: 1, error: { code: expect.any(String) } });
  expect(events[3]!.data).toMatchObject({ usage: { generated_images: 2 } });
  expect(events[4]!.data).toBe("[DONE]");
  const broken = await generate({
    ...group(3),
    stream: true,
    prompt: "x [[fault:error-after=1,status=500]]",
  });
  expect(eventsOf(await broken.text()).map(({ event }) => event)).toEqual([
    "image_generation.partial_succeeded",
    "error",
  ]);
  expect(set.simulator.ledger.mediaJobs().at(-1)).toMatchObject({ state: "failed", billed: {} });
  expect(set.simulator.ledger.orphans()).toEqual([]);
});

test("links expire on request, and files can be broken or of another size", async () => {
  const url = async (outcome: string) =>
    (await (await generate({ prompt: `x [[outcome:${outcome}]]` })).json()).data[0].url as string;
  expect((await fetch(await url("gone"))).status).toBe(403);
  const small = readPicture(await bytesOf(await fetch(await url("size=64x48"))));
  expect(small).toEqual({ type: "jpeg", width: 64, height: 48 });
  const half = await bytesOf(await fetch(await url("size=64x48,broken")));
  expect(half.readUInt16BE(half.length - 2)).not.toBe(0xffd9);
});

const ROWS: [what: string, body: object, param: string, code?: string][] = [
  ["unknown field", { n: 2 }, "n"],
  ["no prompt", { prompt: undefined }, "prompt", "MissingParameter"],
  ["prompt of another type", { prompt: 1 }, "prompt"],
  ["tier of another model", { size: "3K" }, "size"],
  ["few pixels", { size: "512x512" }, "size"],
  ["many pixels", { size: "8192x4096" }, "size"],
  ["ratio", { size: "8000x400" }, "size"],
  ["pro has fewer pixels", { model: "sim-image-5-0-pro", size: "4096x4096" }, "size"],
  ["4.5 has more at least", { model: "sim-image-4-5", size: "1024x1024" }, "size"],
  ["3.0 edges", { model: "sim-image-3-0-t2i", size: "2304x1024" }, "size"],
  ["guidance is for 3.0", { guidance_scale: 3 }, "guidance_scale"],
  ["guidance range", { model: "sim-image-3-0-t2i", guidance_scale: 11 }, "guidance_scale"],
  ["format is for 5.0", { output_format: "png" }, "output_format"],
  ["no webp", { model: "sim-image-5-0", output_format: "webp" }, "output_format"],
  ["group on pro", { model: "sim-image-5-0-pro", ...group(2) }, "sequential_image_generation"],
  ["group too large", group(16), "sequential_image_generation_options.max_images"],
  ["group and references", { ...group(14), image: [link, link] }, "sequential_image_generation_options"],
  ["stream on pro", { model: "sim-image-5-0-pro", stream: true }, "stream"],
  ["too many references", { image: Array.from({ length: 15 }, () => link) }, "image"],
  ["references on 3.0", { model: "sim-image-3-0-t2i", size: "1024x1024", image: link }, "image"],
  ["no reference on edit", { model: "sim-image-3-0-i2i" }, "image", "MissingParameter"],
  [
    "fast on 4.5",
    { model: "sim-image-4-5", optimize_prompt_options: { mode: "fast" } },
    "optimize_prompt_options.mode",
  ],
  [
    "thinking off with references",
    { image: link, optimize_prompt_options: { thinking: "disabled" } },
    "optimize_prompt_options.thinking",
  ],
  ["tools", { tools: [{ type: "web_search" }] }, "tools"],
  ["background", { background: "transparent" }, "background"],
  [
    "transparent without png",
    { model: "sim-image-5-0-pro", background: "transparent", image: link },
    "background",
  ],
  ["seed", { seed: -2 }, "seed"],
  ["format of references", { image: "ftp://a/b.png" }, "image", "InvalidImageURL"],
  ["case of the format", { image: data(samples.png(64, 64), "PNG") }, "image", "InvalidImageURL"],
  ["tiny reference", { image: [data(samples.png(14, 64), "png")] }, "image[0]", "InvalidImageURL"],
  ["narrow reference", { image: data(samples.png(20, 400), "png") }, "image", "InvalidImageURL"],
  ["no picture", { image: data(Buffer.from("%PDF-1.7"), "png") }, "image", "InvalidImageURL"],
];
test.each(ROWS)("pictures are refused: %s", async (_, body, param, code = "InvalidParameter") => {
  const answer = await generate(body);
  const { error } = await answer.json();
  expect([answer.status, error.param, error.code]).toEqual([400, param, code]);
  expect(error).toMatchObject({
    type: "BadRequest",
    message: expect.stringMatching(/Request id: [0-9a-f]{36}$/),
  });
});

test.each([
  ["png", samples.png(64, 64)],
  ["jpeg", samples.jpeg(64, 64)],
  ["webp", samples.webp(64, 64)],
  ["gif", samples.gif(64, 64)],
  ["bmp", samples.bmp(64, 64)],
  ["tiff", samples.tiff(64, 64)],
  ["heic", samples.heic(64, 64)],
])("%s references are taken", async (format, bytes) => {
  expect((await generate({ image: data(bytes, format) })).status).toBe(200);
});

test("errors of authentication and of load have their codes", async () => {
  const none = await set.post("/api/v3/images/generations", {}, { authorization: "" });
  expect([none.status, (await none.json()).error.code]).toEqual([401, "AuthenticationError"]);
  const gone = await generate({ model: "sim-missing" });
  expect([gone.status, (await gone.json()).error.code]).toEqual([404, "InvalidEndpoint.NotFound"]);
  const busy = await generate({ prompt: "[[fault:status=429,retry-after=3]]" });
  expect([busy.status, busy.headers.get("retry-after"), (await busy.json()).error.code]).toEqual([
    ...[429, "3"],
    "RateLimitExceeded.EndpointRPMExceeded",
  ]);
  const refused = await generate({ prompt: "[[outcome:refuse=InputTextSensitiveContentDetected]]" });
  expect([refused.status, (await refused.json()).error.code]).toEqual([
    400,
    "InputTextSensitiveContentDetected",
  ]);
  const failed = await generate({ prompt: "[[outcome:fail=moderation]]" });
  expect([failed.status, (await failed.json()).error.code]).toEqual([
    400,
    "OutputImageSensitiveContentDetected",
  ]);
});

test("a multimodal embedding is one vector, counted by kind", async () => {
  const embed = (body: object) => set.post("/api/v3/embeddings/multimodal", { model: "sim-embed", ...body });
  const input = [
    { type: "text", text: "a fox" },
    { type: "image_url", image_url: { url: data(samples.png(280, 280), "png") } },
  ];
  const answer = await (await embed({ input, dimensions: 1024 })).json();
  expect(answer.data.embedding).toHaveLength(1024);
  expect(answer.usage.prompt_tokens_details).toEqual({ text_tokens: 2, image_tokens: 100 });
  expect(answer.usage.total_tokens).toBe(102);
  const again = await (await embed({ input, dimensions: 1024 })).json();
  expect(again.data).toEqual(answer.data);
  for (const [bad, param] of [
    [{ input: "text" }, "input"],
    [{ input: [] }, "input"],
    [{ input: [{ type: "input_audio" }] }, "input[0].type"],
    [{ input, dimensions: 7 }, "dimensions"],
    [{ input: [{ type: "image_url", image_url: { url: "x" } }] }, "input[0].image_url.url"],
  ] as const) {
    const refused = await embed(bad);
    expect([refused.status, (await refused.json()).error.param]).toEqual([400, param]);
  }
  const plain = await set.post("/api/v3/embeddings", { model: "sim-embed", input: ["a", "b"] });
  const { data: vectors, usage } = await plain.json();
  expect([vectors.length, usage.total_tokens]).toEqual([2, 2]);
  const empty = await set.post("/api/v3/embeddings", { model: "sim-embed", input: [] });
  expect([empty.status, (await empty.json()).error.code]).toEqual([400, "InvalidParameter"]);
});
