import { samples } from "@manifold-gateway/simulator";
import { expect, test } from "vitest";
import { stage } from "./setup.ts";
import { bytesOf, eventsOf, readFilm, readPicture } from "./wires.ts";

const set = stage();
const model = "sim/video-2.0";
const submit = (body: object = {}) => set.post("/api/v1/videos", { model, prompt: "a fox", ...body });
const get = (path: string) =>
  fetch(path.startsWith("http") ? path : set.origin + path, { headers: { authorization: "Bearer key" } });
const url = (link = "https://a.test/a.png") => ({ type: "image_url", image_url: { url: link } });
const job = async (prompt: string, body: object = {}) =>
  (await (await submit({ prompt, ...body })).json()) as { id: string; polling_url: string };
const poll = async (link: string) => (await get(link)).json();

test("a job is accepted, polled to its end, and its film downloaded", async () => {
  const answer = await submit({ resolution: "720p", aspect_ratio: "9:16", duration: 5 });
  const accepted = await answer.json();
  expect([answer.status, accepted]).toEqual([
    202,
    { id: accepted.id, polling_url: `${set.origin}/api/v1/videos/${accepted.id}`, status: "pending" },
  ]);
  const content = `/api/v1/videos/${accepted.id}/content`;
  expect((await get(content)).status).toBe(409);
  expect((await poll(accepted.polling_url)).status).toBe("in_progress");
  const done = await poll(accepted.polling_url);
  expect(done).toMatchObject({ status: "completed", usage: { cost: 0.7623, is_byok: false } });
  const film = await get(done.unsigned_urls[0]);
  expect(film.headers.get("content-type")).toBe("video/mp4");
  expect(readFilm(await bytesOf(film))).toMatchObject({ width: 720, height: 1280, frames: 121 });
  expect((await get(`${content}?index=1`)).status).toBe(404);
  expect((await get(`${content}?index=x`)).status).toBe(400);
  expect(set.simulator.ledger.mediaJobs()).toMatchObject([
    { protocol: "routerstyle", billed: { cost: 0.7623 }, reads: 2, outputs: [{ downloads: 1 }] },
  ]);
});

test("scripts set states, failures, lost jobs and content that is gone", async () => {
  const states = async (prompt: string, count: number) => {
    const { polling_url } = await job(prompt);
    const seen = [];
    for (let n = 0; n < count; n++) seen.push((await poll(polling_url)).status);
    return seen;
  };
  expect(await states("[[outcome:queued=1,running=2]]", 4)).toEqual([
    ...["pending", "in_progress", "in_progress", "completed"],
  ]);
  expect(await states("[[outcome:expire]]", 2)).toEqual(["in_progress", "expired"]);
  expect(await states("[[outcome:cancel]]", 2)).toEqual(["in_progress", "cancelled"]);
  expect(await states("[[outcome:state=warming]]", 2)).toEqual(["warming", "completed"]);
  const { polling_url } = await job("[[outcome:running=0,fail=oops]]");
  expect(await poll(polling_url)).toMatchObject({
    status: "failed",
    error: expect.stringMatching(/^oops: /),
  });
  expect((await get(`${polling_url}/content`)).status).toBe(404);
  const lost = await job("[[outcome:lost=0]]");
  expect((await get(lost.polling_url)).status).toBe(404);
  const gone = await job("[[outcome:running=0,gone]]");
  await poll(gone.polling_url);
  expect((await get(`${gone.polling_url}/content`)).status).toBe(410);
  expect((await get("/api/v1/videos/vid_none")).status).toBe(404);
});

test("a job whose answer is lost goes on as an orphan", async () => {
  expect((await submit({ prompt: "[[fault:status=502,late]]" })).status).toBe(502);
  await expect(submit({ prompt: "[[fault:reset]]" })).rejects.toThrow();
  expect(set.simulator.ledger.orphans()).toHaveLength(2);
  expect((await submit({ prompt: "[[fault:status=502]]" })).status).toBe(502);
  expect(set.simulator.ledger.mediaJobs()).toHaveLength(2);
});

const frame = (frame_type: string) => ({ ...url(), frame_type });
const ROWS: [what: string, body: object, message: RegExp][] = [
  ["unknown field", { seconds: 5 }, /^seconds: /],
  ["no model", { model: undefined }, /^model: /],
  ["nothing to go by", { prompt: undefined }, /^prompt: required/],
  ["short", { duration: 3 }, /^duration: expected one of 4, 5/],
  ["long", { duration: 16 }, /^duration/],
  ["text as a number", { duration: "5" }, /^duration: /],
  ["resolution", { resolution: "1K" }, /^resolution: expected one of 480p, 720p, 1080p, 4K/],
  ["4K on fast", { model: "sim/video-2.0-fast", resolution: "4K" }, /^resolution/],
  ["ratio", { aspect_ratio: "3:2" }, /^aspect_ratio/],
  ["size", { size: "100x100" }, /^size/],
  ["size and resolution", { size: "1280x720", resolution: "720p" }, /^size: cannot/],
  ["frame type", { frame_images: [frame("middle_frame")] }, /^frame_images\[0\].frame_type: /],
  ["last frame", { model: "sim/video-1.0-pro-fast", frame_images: [frame("last_frame")] }, /^frame_images/],
  [
    "frames and references",
    { frame_images: [frame("first_frame")], input_references: [url()] },
    /^frame_images: cannot/,
  ],
  ["link", { input_references: [url("a.png")] }, /^image_url/],
  ["passthrough", { provider: { options: { sim: { camera: 1 } } } }, /camera/],
  ["callback", { callback_url: "http://a.test" }, /callback_url/],
];
test.each(ROWS)("films are refused: %s", async (_, body, message) => {
  const answer = await submit(body);
  expect([answer.status, (await answer.json()).error]).toEqual([
    400,
    { code: 400, message: expect.stringMatching(message) },
  ]);
  expect(set.simulator.ledger.mediaJobs()).toEqual([]);
});

test("errors carry their status as a code", async () => {
  const none = await set.post("/api/v1/videos", {}, { authorization: "" });
  expect([none.status, (await none.json()).error.code]).toEqual([401, 401]);
  const flagged = await submit({ prompt: "[[outcome:refuse=moderation]]" });
  expect([flagged.status, (await flagged.json()).error]).toEqual([
    403,
    { code: 403, message: expect.any(String), metadata: { reasons: ["flagged"], provider_name: "sim" } },
  ]);
  const empty = await submit({ prompt: "[[fault:status=402]]" });
  expect([empty.status, (await empty.json()).error.code]).toEqual([402, 402]);
});

test("models list what they take", async () => {
  const { data } = await (await get("/api/v1/videos/models")).json();
  const fast = data.find(({ id }: { id: string }) => id === "sim/video-2.0-fast");
  expect(fast).toMatchObject({ supported_resolutions: ["480p", "720p"], generate_audio: true });
  expect(fast.supported_durations).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
});

test("pictures have sizes, formats, a cost and a stream", async () => {
  const ask = (body: object) => set.post("/api/v1/images", { model: "sim/image", prompt: "a fox", ...body });
  const answer = await (await ask({ n: 2, aspect_ratio: "16:9", output_format: "webp" })).json();
  expect(answer.usage).toMatchObject({ cost: 0.08 });
  expect(answer.data[1].media_type).toBe("image/webp");
  const size = readPicture(Buffer.from(answer.data[0].b64_json, "base64"));
  expect(size).toEqual({ type: "webp", width: 1360, height: 768 });
  const events = eventsOf(await (await ask({ stream: true })).text());
  expect(events.map(({ data }) => (data as { type?: string }).type ?? data)).toEqual([
    ...["image_generation.partial_image", "image_generation.completed", "[DONE]"],
  ]);
  for (const body of [
    { n: 11 },
    { size: "big" },
    { background: "transparent", output_format: "jpeg" },
    { style: "x" },
  ])
    expect((await ask(body)).status).toBe(400);
});

const b64 = (bytes: Buffer) => bytes.toString("base64");
test("embeddings of anything are one vector an input, with tokens by kind and a cost", async () => {
  const embed = (body: object) => set.post("/api/v1/embeddings", { model: "sim/embed-multimodal", ...body });
  const content = [
    { type: "text", text: "four" },
    { ...url(`data:image/png;base64,${b64(samples.png(8, 8))}`) },
    {
      type: "input_audio",
      input_audio: { data: `data:audio/wav;base64,${b64(samples.wav(1))}`, format: "wav" },
    },
    {
      type: "input_video",
      input_video: { data: b64(samples.mp4({ w: 64, h: 64, seconds: 1 })), format: "mp4" },
    },
    { type: "input_file", input_file: { data: b64(Buffer.from("%PDF-1.7")), format: "pdf" } },
  ];
  const answer = await (
    await embed({ input: [{ content }, { content: [content[0]] }], dimensions: 16 })
  ).json();
  expect(answer.data.map(({ embedding }: { embedding: number[] }) => embedding.length)).toEqual([16, 16]);
  const details = answer.usage.prompt_tokens_details;
  expect(details).toMatchObject({ text_tokens: 2, image_tokens: 258, audio_tokens: 128 });
  const sum = Object.values(details as Record<string, number>).reduce((total, one) => total + one, 0);
  expect([answer.usage.prompt_tokens, answer.usage.total_tokens]).toEqual([sum, sum]);
  expect(answer.usage.cost).toBeCloseTo((sum * 0.2) / 1e6);
  expect(
    (await (await embed({ input: ["a", "b"], encoding_format: "base64" })).json()).data[1].embedding,
  ).toEqual(expect.any(String));
  const rows = [
    { input: [{ content: [] }] },
    { input: [{ content: [{ type: "audio_url" }] }] },
    { input: [{ content: [url("a.png")] }] },
    { input: [{ content }], model: "sim/embed" },
    { input: "" },
    { input: "a", top: 1 },
  ];
  for (const body of rows) expect((await embed(body)).status).toBe(400);
});
