import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMediaStage } from "../../support/media.ts";
import type { Stage } from "../../support/stage.ts";

let h: Stage;
beforeAll(async () => {
  h = await startMediaStage();
});
afterAll(() => h.close());

describe("reads of missing media", () => {
  it.each([
    "/api/v1/image/generations/async/nobodys",
    "/api/v1/video/tasks/nobodys",
    "/api/v1/audio/generations/nobodys",
    "/api/v1/kyc/user/assets/nobodys",
    "/api/chatstyle/v1/videos/nobodys",
    "/api/chatstyle/v1/videos/nobodys/content",
  ])("reading %s is a 404", async (path) => {
    const { errors } = await h.json(path, undefined, 404);
    expect(errors[0]).toMatch(/nobodys/);
  });
  it("a variant of a video that is not made is a 400, and not the video in its place", async () => {
    const path = "/api/chatstyle/v1/videos/nobodys/content?variant=";
    const { errors } = await h.json(`${path}thumbnail`, undefined, 400);
    expect(errors[0]).toMatch(/^variant: .*thumbnails/);
    await h.json(`${path}video`, undefined, 404);
  });
  it("reading a file without its signature is a 403", async () => {
    await h.json("/api/objects/some/file", undefined, 403);
  });
});
