import { probe } from "@manifold-gateway/media";
import { imageSize } from "image-size";
import { ALL_FORMATS, BufferSource, Input } from "mediabunny";
import { expect, test } from "vitest";
import { sampleNamed } from "../../packages/simulator/src/samples/index.ts";
import { png } from "./build/images.ts";
import { samples } from "./samples.ts";

const files = [
  ...samples,
  ...[
    "640x480.png",
    "640x480.jpg",
    "640x480.webp",
    "640x480.gif",
    "1280x720-5s.mp4",
    "5s.wav",
    "5s.mp3",
  ].flatMap((name) => {
    const bytes = sampleNamed(name)?.bytes;
    return bytes ? [{ name, bytes }] : [];
  }),
].map((file) => ({ ...file, found: probe(file.bytes) }));

/** The short header of OS/2 has its edges in two bytes each; image-size reads four. */
const misread = new Set(["OS/2 bmp"]);
const pictures = files.filter(({ found, name }) => found.kind === "image" && !misread.has(name));
const timed = files.filter(({ found }) => found.kind === "video" || found.kind === "audio");

test.each(pictures)("image-size gives $name the edges that probing gives it", ({ bytes, found }) => {
  const { width, height } = imageSize(bytes);
  expect(found).toMatchObject({ width, height });
});

test.each(timed)(
  "mediabunny gives $name the length and edges that probing gives it",
  async ({ bytes, found }) => {
    const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
    const seconds = await input.computeDuration();
    const track = await input.getPrimaryVideoTrack();
    expect(found).toMatchObject({
      seconds: expect.closeTo(seconds, 2),
      ...(track && { width: track.displayWidth, height: track.displayHeight }),
    });
  },
);

test("a PNG that was cut to 40 bytes is a whole one to image-size, and none to probing", () => {
  const cut = png({ width: 70, height: 40 }).subarray(0, 40);
  expect(imageSize(cut)).toMatchObject({ width: 70, height: 40 });
  expect(probe(cut)).not.toMatchObject({ kind: "image" });
});
