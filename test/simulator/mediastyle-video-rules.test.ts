import { samples } from "@manifold-gateway/simulator";
import { expect, test } from "vitest";
import { audio, image, stageVideos, text, video } from "./video-tasks.ts";
import { signed } from "./wires.ts";

const { set, create } = stageVideos();

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
test.each(ROWS)("films are refused: %s", async (_, body, param, code = "InvalidParameter") => {
  const answer = await create(body);
  const { error } = await answer.json();
  expect([answer.status, error.param, error.code]).toEqual([400, param, code]);
  expect(set.simulator.ledger.mediaJobs()).toEqual([]);
});

test.each([
  ["first and last frame", [frame, image("last_frame")]],
  [
    "nine references, films and sounds",
    [...Array.from({ length: 9 }, () => image("reference_image")), video(), audio()],
  ],
  ["sound beside a film", [video(), audio("data:audio/wav;base64,UklGRg==")]],
])("films are accepted: %s", async (_, content) => {
  expect((await create({ content })).status).toBe(200);
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
