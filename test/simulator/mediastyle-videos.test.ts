import { expect, test } from "vitest";
import { model, stageVideos, text, video } from "./video-tasks.ts";
import { bytesOf, readFilm, readPicture } from "./wires.ts";

const { set, create, say, read, ended } = stageVideos();

test("a film is ordered, waits, runs, and can be downloaded; it is billed when it succeeded", async () => {
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
  expect(set.simulator.ledger.mediaJobs()).toMatchObject([
    { id, state: "queued", billed: {}, isDelivered: true, reads: 0 },
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
  expect(set.simulator.ledger.mediaJobs()).toMatchObject([
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

test("older models take settings out of the text", async () => {
  const id = await say("a fox --duration 12 --resolution 480p --rt 1:1", {
    model: "sim-video-1-0-pro",
    duration: 2,
  });
  expect(await ended(id)).toMatchObject({ duration: 12, resolution: "480p", ratio: "1:1" });
  expect(await ended(await say("a fox --duration 12"))).toMatchObject({ duration: 5 });
});

test("scripts give files that are gone, broken, or of another size or length", async () => {
  const url = async (outcome: string) => (await ended(await say(`[[outcome:${outcome}]]`))).content.video_url;
  expect((await fetch(await url("gone"))).status).toBe(403);
  const broken = await bytesOf(await fetch(await url("broken")));
  expect(() => readFilm(broken)).toThrow(/does not end inside the file/);
  const odd = readFilm(await bytesOf(await fetch(await url("size=64x32,seconds=1"))));
  expect(odd).toMatchObject({ width: 64, height: 32, frames: 25 });
});

test("equal requests are different tasks", async () => {
  expect(await say("a fox")).not.toBe(await say("a fox"));
});
