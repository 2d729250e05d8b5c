import { samples } from "@manifold-gateway/simulator";
import { expect, test } from "vitest";
import { stage } from "./setup.ts";
import { bytesOf, eventsOf, readMp3, readPicture } from "./wires.ts";

const set = stage();
const model = "sim-image-2.5";
const generate = (body: object) =>
  set.post("/v1/images/generations", { model, prompt: "a red fox", ...body });
const pictureIn = (b64?: string) => readPicture(Buffer.from(b64 ?? "", "base64"));

test.each(["png", "jpeg", "webp"] as const)(
  "the official client gets %s pictures of the requested size",
  async (type) => {
    const answer = await set.openai.images.generate({
      model,
      prompt: "a red fox",
      n: 2,
      size: "1536x1024",
      quality: "low",
      output_format: type,
    });
    expect(answer.data).toHaveLength(2);
    expect(answer.data!.map(({ b64_json }) => pictureIn(b64_json))).toEqual(
      [0, 1].map(() => ({ type, width: 1536, height: 1024 })),
    );
    expect(answer.data![0]).not.toEqual(answer.data![1]);
    const { input_tokens, output_tokens, total_tokens } = answer.usage!;
    expect([input_tokens, output_tokens, total_tokens]).toEqual([3, 816, 819]);
    expect(set.simulator.ledger.mediaJobs()).toMatchObject([
      {
        operation: "image",
        state: "succeeded",
        isDelivered: true,
        billed: { images: 2, output_tokens: 816 },
      },
    ]);
    expect(set.simulator.ledger.last()?.usage).toMatchObject({ input: 3, output: 816 });
  },
);

test("the same request has the same pictures, another one has others", async () => {
  const first = async (prompt: string) => (await (await generate({ prompt })).json()).data[0].b64_json;
  expect(await first("a")).toBe(await first("a"));
  expect(await first("a")).not.toBe(await first("b"));
});

test("a stream shows previews and then the picture with its usage", async () => {
  const stream = await set.openai.images.generate({ model, prompt: "fox", stream: true, partial_images: 2 });
  const events = [];
  for await (const event of stream) events.push(event);
  expect(events.map(({ type }) => type)).toEqual([
    "image_generation.partial_image",
    "image_generation.partial_image",
    "image_generation.completed",
  ]);
  expect(events.at(-1)).toMatchObject({ usage: { output_tokens: 1056 + 200 } });
  expect(pictureIn(events[0]!.b64_json)).toEqual({ type: "png", width: 1024, height: 1024 });
  expect((await generate({ partial_images: 1 })).status).toBe(400);
});

test("edits take forms and JSON, and count the pictures that they are given", async () => {
  const file = (bytes: Buffer, type = "image/png") => new File([new Uint8Array(bytes)], "a.png", { type });
  const image = [file(samples.png(1024, 1024)), file(samples.webp(64, 64))];
  const form = await set.openai.images.edit({ model, prompt: "more", image, n: 1 });
  expect(form.usage?.input_tokens_details.image_tokens).toBe(1024 + 4);
  const url = `data:image/jpeg;base64,${samples.jpeg(320, 320).toString("base64")}`;
  const json = await set.post("/v1/images/edits", { model, prompt: "more", images: [{ image_url: url }] });
  expect((await json.json()).usage.input_tokens_details.image_tokens).toBe(100);
  await expect(
    set.openai.images.edit({ model, prompt: "more", image: file(samples.gif(8, 8)) }),
  ).rejects.toMatchObject({ status: 400, code: "unsupported_file_mimetype" });
  const many = Array.from({ length: 17 }, () => file(samples.png(8, 8)));
  await expect(set.openai.images.edit({ model, prompt: "m", image: many })).rejects.toMatchObject({
    status: 400,
  });
  const streamed = await set.post("/v1/images/edits", {
    model,
    prompt: "more",
    stream: true,
    partial_images: 1,
    images: [{ image_url: url }],
  });
  const names = eventsOf(await streamed.text()).map(({ event }) => event);
  expect(names).toEqual(["image_edit.partial_image", "image_edit.completed"]);
});

const ROWS: [what: string, body: object, message: RegExp][] = [
  ["unknown field", { response_format: "url" }, /^Unknown parameter: 'response_format'/],
  ["no prompt", { prompt: undefined }, /^Missing required parameter: 'prompt'/],
  ["long prompt", { prompt: "x".repeat(32_001) }, /string too long/],
  ["too many", { n: 11 }, /Expected a value <= 10/],
  ["none", { n: 0 }, /Expected a value >= 1/],
  ["odd edge", { size: "1000x1024" }, /divisible by 16/],
  ["long edge", { size: "3856x2048" }, /at most 3840/],
  ["narrow", { size: "3072x1008" }, /at most 3:1/],
  ["few pixels", { size: "512x512" }, /between 655360 and 8294400/],
  ["many pixels", { size: "3840x2176" }, /between 655360 and 8294400/],
  ["no size", { size: "big" }, /^Invalid size 'big'/],
  ["first generation", { model: "sim-image-1", size: "1920x1088" }, /Supported values are: '1024x1024'/],
  ["quality of a later one", { model: "sim-image-2", quality: "max" }, /Supported values are/],
  [
    "transparency not known",
    { model: "sim-image-2", background: "transparent" },
    /not supported for this model/,
  ],
  ["transparent jpeg", { background: "transparent", output_format: "jpeg" }, /not supported for JPEG/],
  ["compressed png", { output_compression: 50 }, /not supported for PNG/],
  ["compression", { output_compression: 101, output_format: "jpeg" }, /<= 100/],
  ["partials", { partial_images: 4, stream: true }, /<= 3/],
  ["moderation", { prompt: "x [[outcome:refuse=moderation]]" }, /refused/],
];
test.each(ROWS)("pictures are refused: %s", async (_, body, message) => {
  const answer = await generate(body);
  expect(answer.status).toBe(400);
  expect((await answer.json()).error).toMatchObject({
    message: expect.stringMatching(message),
    type: "invalid_request_error",
  });
  expect(set.simulator.ledger.mediaJobs()).toEqual([]);
});

test("older servers answer with links, which open only as they were made", async () => {
  const answer = await (await generate({ model: "sim-image-old", style: "vivid" })).json();
  const { url } = answer.data[0];
  expect(readPicture(await bytesOf(await fetch(url)))).toEqual({ type: "png", width: 1024, height: 1024 });
  expect(set.simulator.ledger.mediaJobs()[0]?.outputs[0]).toMatchObject({ url, downloads: 1 });
  expect((await fetch(`${url.slice(0, -8)}AAAAAAAA`)).status).toBe(403);
});

test("pictures fail on request, and have a wrong size, a broken file or no output", async () => {
  const failed = await generate({ prompt: "x [[outcome:fail=internal]]" });
  expect([failed.status, (await failed.json()).error.code]).toEqual([500, "server_error"]);
  const blocked = await generate({ prompt: "x [[outcome:fail=moderation]]" });
  expect([blocked.status, (await blocked.json()).error.code]).toEqual([400, "moderation_blocked"]);
  const small = await (await generate({ prompt: "x [[outcome:size=64x32]]" })).json();
  expect(pictureIn(small.data[0].b64_json)).toMatchObject({ width: 64, height: 32 });
  const none = await (await generate({ prompt: "x [[outcome:silent]]" })).json();
  expect(none.data).toEqual([]);
  expect(
    set.simulator.ledger.mediaJobs().map(({ state, billed }) => [state, Object.keys(billed).length]),
  ).toEqual([
    ["failed", 0],
    ["failed", 0],
    ["succeeded", 3],
    ["succeeded", 3],
  ]);
});

const say = (body: object) =>
  set.post("/v1/audio/speech", { model: "sim-speech", voice: "a", input: "hello", ...body });

test.each([
  ["mp3", "audio/mpeg"],
  ["opus", "audio/ogg"],
  ["aac", "audio/aac"],
  ["flac", "audio/flac"],
  ["wav", "audio/wav"],
  ["pcm", "audio/pcm"],
])("speech as %s is a file of its type", async (response_format, type) => {
  const answer = await say({ response_format, input: "x".repeat(30) });
  expect(answer.headers.get("content-type")).toBe(type);
  expect((await bytesOf(answer)).length).toBeGreaterThan(20);
});

test("speech lasts as long as its text, and streams the same bytes", async () => {
  const input = "x".repeat(45);
  const whole = await bytesOf(await say({ input }));
  expect(readMp3(whole).seconds).toBeCloseTo(3, 1);
  expect(readMp3(await bytesOf(await say({ input, speed: 2 }))).seconds).toBeCloseTo(1.5, 1);
  const events = eventsOf(await (await say({ input, stream_format: "sse" })).text()).map(
    ({ data }) => data as Record<string, string>,
  );
  const deltas = events.filter(({ type }) => type === "speech.audio.delta");
  expect(Buffer.concat(deltas.map(({ audio }) => Buffer.from(audio!, "base64")))).toEqual(whole);
  expect(events.at(-1)).toMatchObject({ type: "speech.audio.done", usage: { input_tokens: 12 } });
});

test.each([
  [{ input: "" }, "input"],
  [{ input: "x".repeat(4097) }, "input"],
  [{ speed: 5 }, "speed"],
  [{ speed: 0.1 }, "speed"],
  [{ response_format: "ogg" }, "response_format"],
  [{ sample_rate: 8000 }, "sample_rate"],
  [{ voice: undefined }, "voice"],
])("speech refuses %j", async (body, param) => {
  const answer = await say(body);
  expect([answer.status, (await answer.json()).error.param]).toEqual([400, param]);
});
