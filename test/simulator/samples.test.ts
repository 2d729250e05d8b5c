import { inflateSync } from "node:zlib";
import { sampleNamed, samples } from "@manifold-gateway/simulator";
import fc from "fast-check";
import { expect, test } from "vitest";
import { stage } from "./setup.ts";
import { bytesOf, readFilm, readMp3, readPicture } from "./wires.ts";

const set = stage();
const edge = fc.integer({ min: 1, max: 1500 });

test.each(["png", "jpeg", "webp"] as const)("%s files have the requested size in their headers", (type) => {
  fc.assert(
    fc.property(edge, edge, (width, height) => {
      expect(readPicture(samples[type](width, height))).toEqual({ type, width, height });
    }),
    { numRuns: 30 },
  );
});

test("pictures hold every pixel their headers promise", () => {
  const [width, height] = [100, 37];
  const png = samples.png(width, height);
  const at = png.indexOf("IDAT");
  const data = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  expect(data.length).toBe((1 + Math.ceil(width / 8)) * height);
  const jpeg = samples.jpeg(width, height);
  expect([jpeg.readUInt16BE(0), jpeg.readUInt16BE(jpeg.length - 2)]).toEqual([0xffd8, 0xffd9]);
  const webp = samples.webp(width, height);
  expect(webp.readUInt32LE(4)).toBe(webp.length - 8);
  const bmp = samples.bmp(width, height);
  expect([bmp.readUInt32LE(2), bmp.readInt32LE(18), bmp.readInt32LE(22)]).toEqual([
    bmp.length,
    width,
    height,
  ]);
  const gif = samples.gif(width, height);
  expect([gif.readUInt16LE(6), gif.readUInt16LE(8), gif.at(-1)]).toEqual([width, height, 0x3b]);
});

test("a TIFF's strip lies inside the file; a HEIC has its size and a payload", () => {
  const tiff = samples.tiff(640, 480);
  const fields = new Map(
    Array.from({ length: tiff.readUInt16LE(8) }, (_, index) => [
      tiff.readUInt16LE(10 + index * 12),
      tiff.readUInt32LE(18 + index * 12),
    ]),
  );
  expect([fields.get(256), fields.get(257)]).toEqual([640, 480]);
  expect(fields.get(273)! + fields.get(279)!).toBe(tiff.length);
  const heic = samples.heic(4032, 3024);
  const ispe = heic.indexOf("ispe");
  expect([heic.readUInt32BE(ispe + 8), heic.readUInt32BE(ispe + 12)]).toEqual([4032, 3024]);
});

test("films have the requested size, length and frames, and a key frame first", () => {
  const even = fc.integer({ min: 8, max: 600 }).map((half) => half * 2);
  fc.assert(
    fc.property(
      even,
      even,
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom(24, 30, 60),
      (w, h, seconds, fps) => {
        const film = readFilm(samples.mp4({ w, h, seconds, fps }));
        expect(film).toMatchObject({
          width: w,
          height: h,
          fps,
          seconds,
          frames: seconds * fps,
          codec: "avc1",
        });
        expect(film.top).toEqual(["ftyp", "moov", "free", "mdat"]);
        expect(film.first[4]! & 31).toBe(5);
      },
    ),
    { numRuns: 20 },
  );
  const spoken = readFilm(samples.mov({ w: 640, h: 640, seconds: 2, audio: true }));
  expect(spoken).toMatchObject({ tracks: 2, frames: 48 });
});

test("sounds have the requested length at every rate", () => {
  for (const rate of [8000, 16000, 22050, 24000, 32000, 44100, 48000]) {
    const mp3 = readMp3(samples.mp3(7.5, rate));
    expect(mp3.rate).toBe(rate);
    expect(mp3.seconds).toBeGreaterThanOrEqual(7.5);
    expect(mp3.seconds).toBeLessThan(7.6);
    const wav = samples.wav(7.5, rate);
    expect(wav.readUInt32LE(40) / wav.readUInt32LE(28)).toBe(7.5);
    expect(wav.length).toBe(44 + wav.readUInt32LE(40));
  }
  const opus = samples.opus(3);
  const last = opus.lastIndexOf("OggS");
  expect(opus.readUInt32LE(last + 6)).toBe(3 * 48000 + 312);
  expect(samples.pcm(2, 24000).length).toBe(2 * 24000 * 2);
  expect(samples.flac(1).toString("latin1", 0, 4)).toBe("fLaC");
  expect(samples.aac(1).readUInt16BE(0)).toBe(0xfff1);
});

test("samples are served by their names, without a key, and fail on demand", async () => {
  const get = (path: string) => fetch(`${set.origin}/samples/${path}`);
  const film = await get("1280x720-5s-24fps.mp4");
  expect(film.headers.get("content-type")).toBe("video/mp4");
  expect(readFilm(await bytesOf(film))).toMatchObject({ width: 1280, height: 720, seconds: 5, fps: 24 });
  expect(readPicture(await bytesOf(await get("300x400.webp")))).toEqual({
    type: "webp",
    width: 300,
    height: 400,
  });
  expect((await get("what.exe")).status).toBe(404);
  expect((await get("8x8.png?[[fault:status=503]]")).status).toBe(503);
  expect((await get("8x8.png?type=text/html")).headers.get("content-type")).toBe("text/html");
  const half = await bytesOf(await get("8x8.png?[[outcome:broken]]"));
  expect(half.length).toBe(samples.png(8, 8).length >> 1);
  expect(sampleNamed("1_5s.wav")!.bytes.length).toBe(samples.wav(1.5).length);
});
