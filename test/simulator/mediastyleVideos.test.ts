import { samples } from "@manifold/simulator";
import { expect, test } from "vitest";
import { stage } from "./setup.ts";
import { bytesOf, readFilm, readPicture, signed } from "./wires.ts";

let now = 1_700_000_000_000;
const set = stage({ now: () => now });
const PATH = "/api/v3/contents/generations/tasks";
const model = "sim-video-2-0";
const text = (words: string) => ({ type: "text", text: words });
const image = (role?: string, url = "https://example.test/a.png") => ({
  type: "image_url",
  image_url: { url },
  role,
});
const video = (url = "https://example.test/a-2s.mp4") => ({
  type: "video_url",
  video_url: { url },
  role: "reference_video",
});
const audio = (url = "https://example.test/a.mp3") => ({
  type: "audio_url",
  audio_url: { url },
  role: "reference_audio",
});

const create = (body: object) => set.post(PATH, { model, content: [text("a fox")], ...body });
const say = async (words: string, body: object = {}) =>
  (await (await create({ content: [text(words)], ...body })).json()).id;
const call = (path: string, method = "GET") =>
  fetch(set.origin + PATH + path, { method, headers: { authorization: "Bearer key" } });
const read = async (id: string) => (await call(`/${id}`)).json();
const states = async (id: string, count: number) => {
  const seen: string[] = [];
  for (let n = 0; n < count; n++) seen.push((await read(id)).status);
  return seen;
};
/** Reads until the task has ended. */
async function ended(id: string) {
  for (let n = 0; n < 10; n++) {
    const task = await read(id);
    if (!["queued", "running"].includes(task.status)) return task;
  }
  throw new Error("the task does not end");
}

test("a film is asked for, waits, runs, and can be downloaded; it is billed when it succeeded", async () => {
  const answer = await create({
    resolution: "480p",
    ratio: "16:9",
    duration: 5,
    return_last_frame: true,
    seed: 7,
  });
  const { id, ...rest } = await answer.json();
  expect([answer.status, rest]).toEqual([200, {}]);
  expect(id).toMatch(/^cgt-20231114221320-\w+$/);
  expect(set.simulator.ledger.works()).toMatchObject([
    { id, state: "queued", billed: {}, told: true, reads: 0 },
  ]);
  expect(await read(id)).toMatchObject({ id, model, status: "running", error: null });
  const task = await read(id);
  expect(task).toMatchObject({
    status: "succeeded",
    seed: 7,
    resolution: "480p",
    ratio: "16:9",
    duration: 5,
    framespersecond: 24,
    generate_audio: true,
    service_tier: "default",
    execution_expires_after: 172_800,
    usage: { completion_tokens: 50_638, total_tokens: 50_638 },
  });
  const film = readFilm(await bytesOf(await fetch(task.content.video_url)));
  expect(film).toMatchObject({ width: 864, height: 496, fps: 24, frames: 121, tracks: 2, codec: "avc1" });
  const last = readPicture(await bytesOf(await fetch(task.content.last_frame_url)));
  expect(last).toEqual({ type: "png", width: 864, height: 496 });
  expect(set.simulator.ledger.works()).toMatchObject([
    { billed: { completion_tokens: 50_638 }, reads: 2, outputs: [{ downloads: 1 }, { downloads: 1 }] },
  ]);
});

test.each([
  ["sim-video-2-0", { duration: 4, resolution: "480p" }, 40_594],
  ["sim-video-2-0", { duration: 5, resolution: "720p" }, 108_900],
  ["sim-video-2-0", { duration: 4, resolution: "1080p" }, 196_425],
  ["sim-video-1-0-pro", { duration: 5, resolution: "1080p" }, 244_800],
  ["sim-video-2-0", { duration: 5, resolution: "480p", content: [text("x"), video()] }, 90_814],
  [
    "sim-video-2-0",
    { duration: 5, resolution: "480p", content: [text("x"), video("https://a.test/15s.mp4")] },
    201_298,
  ],
  ["sim-video-2-0", { duration: -1, resolution: "480p" }, 50_638],
  ["sim-video-1-0-pro", { frames: 57, resolution: "480p" }, Math.floor((864 * 480 * 57) / 1024)],
])("%s bills %j with %i tokens", async (name, body, tokens) => {
  const answer = await create({ model: name, ratio: "16:9", ...body });
  const { usage } = await ended((await answer.json()).id);
  expect(usage.completion_tokens).toBe(tokens);
});

const TABLE: [string, string, string, number, number][] = [
  ["sim-video-2-0", "480p", "21:9", 992, 432],
  ["sim-video-2-0", "720p", "4:3", 1112, 834],
  ["sim-video-2-0", "720p", "21:9", 1470, 630],
  ["sim-video-2-0", "1080p", "9:16", 1080, 1920],
  ["sim-video-2-0", "4k", "1:1", 2880, 2880],
  ["sim-video-1-0-pro", "480p", "3:4", 544, 736],
  ["sim-video-1-0-pro", "1080p", "16:9", 1920, 1088],
  ["sim-video-2-5", "480p", "16:9", 854, 480],
];
test.each(TABLE)("%s makes %s %s films of %i × %i", async (name, resolution, ratio, width, height) => {
  const { id } = await (await create({ model: name, resolution, ratio, duration: 4 })).json();
  const task = await ended(id);
  expect(readFilm(await bytesOf(await fetch(task.content.video_url)))).toMatchObject({ width, height });
});

const frame = image("first_frame");
const ROWS: [what: string, body: object, param: string, code?: string][] = [
  ["unknown field", { size: "1x1" }, "size"],
  ["no content", { content: undefined }, "content", "MissingParameter"],
  ["empty content", { content: [] }, "content"],
  ["empty text", { content: [text(" ")] }, "content", "MissingParameter"],
  ["unknown part", { content: [{ type: "image" }] }, "content[0].type"],
  ["unknown role", { content: [image("frame")] }, "content[0].role"],
  ["short", { duration: 3 }, "duration"],
  ["long", { duration: 16 }, "duration"],
  ["half a second", { duration: 4.5 }, "duration"],
  ["long for 1.5", { model: "sim-video-1-5-pro", duration: 13 }, "duration"],
  ["model decides, on 1.0", { model: "sim-video-1-0-pro", duration: -1 }, "duration"],
  ["resolution nobody has", { resolution: "2k" }, "resolution"],
  ["4k on fast", { model: "sim-video-2-0-fast", resolution: "4k" }, "resolution"],
  ["ratio nobody has", { ratio: "3:2" }, "ratio"],
  ["adaptive without image on 1.0", { model: "sim-video-1-0-pro", ratio: "adaptive" }, "ratio"],
  ["ratio with a first frame on 2.5", { model: "sim-video-2-5", ratio: "1:1", content: [frame] }, "ratio"],
  ["frames on 2.0", { frames: 29 }, "frames"],
  ["frames of another form", { model: "sim-video-1-0-pro", frames: 30 }, "frames"],
  ["frames and duration", { model: "sim-video-1-0-pro", frames: 29, duration: 5 }, "duration"],
  ["seed", { seed: -2 }, "seed"],
  ["camera on 2.0", { camera_fixed: true }, "camera_fixed"],
  [
    "camera with references",
    { model: "sim-video-1-0-lite-i2v", camera_fixed: true, content: [image("reference_image")] },
    "camera_fixed",
  ],
  ["sound on silent models", { model: "sim-video-1-0-pro", generate_audio: true }, "generate_audio"],
  ["flex on 2.0", { service_tier: "flex" }, "service_tier"],
  ["draft on 2.0", { draft: true }, "draft"],
  ["priority", { priority: 10 }, "priority"],
  ["priority on 1.0", { model: "sim-video-1-0-pro", priority: 1 }, "priority"],
  ["tools with media", { tools: [{ type: "web_search" }], content: [text("x"), frame] }, "tools"],
  ["short expiry", { execution_expires_after: 3599 }, "execution_expires_after"],
  ["long name of a person", { safety_identifier: "x".repeat(65) }, "safety_identifier"],
  ["callback in the clear", { callback_url: "http://a.test" }, "callback_url"],
  [
    "mixed modes",
    { content: [frame, image("reference_image")] },
    "content",
    "InvalidParameter.TaskTypeMismatch",
  ],
  [
    "no role is a first frame",
    { content: [image(), video()] },
    "content",
    "InvalidParameter.TaskTypeMismatch",
  ],
  ["last frame alone", { content: [image("last_frame")] }, "content", "InvalidParameter.TaskTypeConstraint"],
  ["two first frames", { content: [frame, image()] }, "content", "InvalidParameter.TaskTypeConstraint"],
  [
    "last frame on pro fast",
    { model: "sim-video-1-0-pro-fast", content: [frame, image("last_frame")] },
    ...(["content", "InvalidParameter.TaskTypeMismatch"] as const),
  ],
  [
    "ten references",
    { content: Array.from({ length: 10 }, () => image("reference_image")) },
    ...(["content", "InvalidParameter.TaskTypeConstraint"] as const),
  ],
  [
    "references on 1.5",
    { model: "sim-video-1-5-pro", content: [image("reference_image")] },
    ...(["content", "InvalidParameter.TaskTypeConstraint"] as const),
  ],
  [
    "four films",
    { content: [1, 2, 3, 4].map(() => video()) },
    "content",
    "InvalidParameter.TaskTypeConstraint",
  ],
  ["long films", { content: [video("https://a.test/9s.mp4"), video("https://a.test/8s.mp4")] }, "content"],
  ["sound alone", { content: [text("x"), audio()] }, "content", "InvalidParameter.TaskTypeConstraint"],
  ["inline film", { content: [video("data:video/mp4;base64,AAAA")] }, "content[0].video_url.url"],
  [
    "inline sound of another kind",
    { content: [image("reference_image"), audio("data:audio/mpeg;base64,AAAA")] },
    "content[1].audio_url.url",
  ],
  [
    "tiny image",
    { content: [image("first_frame", `data:image/png;base64,${samples.png(299, 400).toString("base64")}`)] },
    ...(["content[0].image_url.url", "InvalidImageURL"] as const),
  ],
  [
    "narrow image",
    { content: [image("first_frame", `data:image/png;base64,${samples.png(300, 900).toString("base64")}`)] },
    ...(["content[0].image_url.url", "InvalidImageURL"] as const),
  ],
  ["unknown asset", { content: [image("reference_image", "asset://asset-1")] }, "content[0].image_url.url"],
  [
    "asset on 1.0",
    { model: "sim-video-1-0-lite-i2v", content: [image("reference_image", "asset://asset-1")] },
    "content[0].image_url.url",
  ],
];
test.each(ROWS)("refuses: %s", async (_, body, param, code = "InvalidParameter") => {
  const answer = await create(body);
  const { error } = await answer.json();
  expect([answer.status, error.param, error.code]).toEqual([400, param, code]);
  expect(set.simulator.ledger.works()).toEqual([]);
});

test.each([
  ["first and last frame", [frame, image("last_frame")]],
  [
    "nine references, films and sounds",
    [...Array.from({ length: 9 }, () => image("reference_image")), video(), audio()],
  ],
  ["sound beside a film", [video(), audio("data:audio/wav;base64,UklGRg==")]],
])("takes: %s", async (_, content) => {
  expect((await create({ content })).status).toBe(200);
});

test("older models take settings out of the text", async () => {
  const id = await say("a fox --duration 12 --resolution 480p --rt 1:1", {
    model: "sim-video-1-0-pro",
    duration: 2,
  });
  expect(await ended(id)).toMatchObject({ duration: 12, resolution: "480p", ratio: "1:1" });
  expect(await ended(await say("a fox --duration 12"))).toMatchObject({ duration: 5 });
});

test("scripts: reads before the states, failures, expiry, unknown words, lost tasks", async () => {
  expect(await states(await say("[[outcome:queued=2,running=2]]"), 6)).toEqual([
    ...["queued", "queued", "running", "running", "succeeded", "succeeded"],
  ]);
  expect(await states(await say("[[outcome:running=0]]"), 1)).toEqual(["succeeded"]);
  expect(await states(await say("[[outcome:expire]]"), 2)).toEqual(["running", "expired"]);
  expect(await states(await say("[[outcome:cancel]]"), 2)).toEqual(["running", "cancelled"]);
  expect(await states(await say("[[outcome:state=dreaming]]"), 2)).toEqual(["dreaming", "succeeded"]);
  const failed = await ended(await say("[[outcome:fail=moderation]]"));
  expect(failed).toMatchObject({ status: "failed", error: { code: "OutputVideoSensitiveContentDetected" } });
  expect(failed.usage).toBeUndefined();
  expect((await ended(await say("[[outcome:fail=Some.Code]]"))).error.code).toBe("Some.Code");
  const lost = await say("[[outcome:lost=1]]");
  expect([(await call(`/${lost}`)).status, (await call(`/${lost}`)).status]).toEqual([200, 404]);
  const empty = await ended(await say("[[outcome:silent]]"));
  expect([empty.status, empty.content]).toEqual(["succeeded", {}]);
  const refused = await create({ content: [text("[[outcome:refuse=moderation]]")] });
  expect([refused.status, (await refused.json()).error.code]).toEqual([
    400,
    "OutputVideoSensitiveContentDetected",
  ]);
  const billed = set.simulator.ledger.works({ state: "failed" }).flatMap((work) => Object.keys(work.billed));
  expect(billed).toEqual([]);
});

test("scripts: files that are gone, broken, of another size or length", async () => {
  const url = async (outcome: string) => (await ended(await say(`[[outcome:${outcome}]]`))).content.video_url;
  expect((await fetch(await url("gone"))).status).toBe(403);
  const broken = await bytesOf(await fetch(await url("broken")));
  expect(() => readFilm(broken)).toThrow(/does not end inside the file/);
  const odd = readFilm(await bytesOf(await fetch(await url("size=64x32,seconds=1"))));
  expect(odd).toMatchObject({ width: 64, height: 32, frames: 25 });
});

test("polls fail by script, and the task does not mind", async () => {
  const id = await say("a fox");
  set.simulator.script("[[fault:status=500]]", { operation: "task" });
  set.simulator.script("[[fault:reset]]", { operation: "task" });
  expect((await call(`/${id}`)).status).toBe(500);
  await expect(call(`/${id}`)).rejects.toThrow();
  expect((await read(id)).status).toBe("succeeded");
  expect(set.simulator.ledger.query({ operation: "task" }).map(({ delivered }) => delivered)).toEqual([
    ...["failed", "cut", "complete"],
  ]);
});

test("what waits is cancelled, what runs is not, what ended is forgotten", async () => {
  const waiting = await say("[[outcome:queued=5]]");
  expect((await call(`/${waiting}`, "DELETE")).status).toBe(200);
  expect(await states(waiting, 1)).toEqual(["cancelled"]);
  const running = await say("[[outcome:running=5]]");
  await read(running);
  expect((await call(`/${running}`, "DELETE")).status).toBe(409);
  const done = await say("a fox");
  await ended(done);
  expect((await call(`/${done}`, "DELETE")).status).toBe(200);
  expect((await call(`/${done}`)).status).toBe(404);
  expect((await call("/cgt-none", "DELETE")).status).toBe(404);
  expect(set.simulator.ledger.works({ id: done })).toMatchObject([{ state: "succeeded" }]);
});

test("lists pages of tasks, newest first, by state, id and model; a task shown is a task read", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push(await say("a fox"));
  const other = await say("[[outcome:queued=9]]", { model: "sim-video-1-0-pro" });
  const list = async (query: string) => (await call(`?${query}`)).json();
  const first = await list("page_num=1&page_size=2");
  expect([first.total, first.items.map(({ id }: { id: string }) => id)]).toEqual([4, [other, ids[2]]]);
  const named = await list(`filter.task_ids=${ids[0]}&filter.task_ids=${ids[1]}`);
  expect(named.items.map(({ status }: { status: string }) => status)).toEqual(["succeeded", "succeeded"]);
  expect((await list("filter.status=queued")).items).toMatchObject([{ id: other }]);
  expect((await list("filter.model=sim-video-1-0-pro")).total).toBe(1);
  expect((await call("?page_size=501")).status).toBe(400);
  expect((await call("?filter.status=done")).status).toBe(400);
});

test("the clock ends what time ends: links, waiting tasks, records", async () => {
  const start = now;
  const done = await ended(await say("a fox"));
  const slow = await say("[[outcome:queued=9]]", { execution_expires_after: 3600 });
  now += 3601 * 1000;
  expect((await fetch(done.content.video_url)).status).toBe(200);
  expect((await read(slow)).status).toBe("expired");
  now += 24 * 3600 * 1000;
  expect((await fetch(done.content.video_url)).status).toBe(403);
  now += 7 * 24 * 3600 * 1000;
  expect((await call(`/${done.id}`)).status).toBe(404);
  now = start;
});

test("alike requests are different tasks", async () => {
  expect(await say("a fox")).not.toBe(await say("a fox"));
});

const ORPHANS: [what: string, fault: string, answered: number | undefined][] = [
  ["answered with 500 after the task was made", "status=500,late", 500],
  ["answered with 429 after the task was made", "status=429,late", 429],
  ["cut before the first byte", "reset", undefined],
  ["cut inside the body", "cut=5", undefined],
];
test.each(ORPHANS)("an orphan: %s", async (_, fault, status) => {
  const attempt = create({ content: [text(`a fox [[fault:${fault}]]`)] }).then(async (answer) => {
    await answer.text();
    return answer.status;
  });
  if (status === undefined) await expect(attempt).rejects.toThrow();
  else expect(await attempt).toBe(status);
  const { ledger } = set.simulator;
  expect(ledger.orphans()).toMatchObject([{ told: false, reads: 0, state: "queued", billed: {} }]);
  // The vendor finishes and bills what nobody knows of.
  set.simulator.finish();
  expect(ledger.orphans()).toMatchObject([{ state: "succeeded", billed: { completion_tokens: 108_900 } }]);
  const { items } = await (await call("")).json();
  expect(items).toHaveLength(1);
  expect(ledger.orphans()).toEqual([]);
});

test("a submit that fails before the task is made leaves nothing", async () => {
  expect((await create({ content: [text("[[fault:html]]")] })).status).toBe(502);
  const strayed = await fetch(set.origin + PATH, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/json", authorization: "Bearer key" },
    body: JSON.stringify({ model, content: [text("[[fault:redirect]]")] }),
  });
  expect(strayed.status).toBe(307);
  expect((await create({ content: [text("[[fault:status=500]]")] })).status).toBe(500);
  expect(set.simulator.ledger.works()).toEqual([]);
});

test("assets in films must be of the right kind and active", async () => {
  const act = async (action: string, body: object) =>
    (await (await fetch(...signed(set.origin, action, body))).json()).Result;
  const group = await act("CreateAssetGroup", { Name: "people" });
  const asset = await act("CreateAsset", {
    GroupId: group.Id,
    URL: "https://a.test/a.png",
    AssetType: "Image",
  });
  const film = () => create({ content: [text("x"), image("reference_image", `asset://${asset.Id}`)] });
  expect((await (await film()).json()).error.message).toMatch(/is not active/);
  await act("GetAsset", { Id: asset.Id });
  await act("GetAsset", { Id: asset.Id });
  expect((await film()).status).toBe(200);
  const wrong = await create({ content: [video(`asset://${asset.Id}`)] });
  expect((await wrong.json()).error.message).toMatch(/not of type video/);
});
