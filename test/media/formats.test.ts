import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkAsset, type Probe, probe } from "@manifold-gateway/media";
import fc from "fast-check";
import { expect, test } from "vitest";
import { probeSource } from "../../packages/media/src/prober/source.ts";
import { openFile, type Reader } from "../../packages/media/src/reader.ts";
import { place } from "./build/bytes.ts";
import { movie } from "./build/movies.ts";
import { FRAME_SECONDS, mp3, wav } from "./build/sounds.ts";
import { pictures, samples } from "./samples.ts";

test.each(samples)("a whole $name is recognised, and keeps its limits", ({ bytes, is, asset }) => {
  const found = probe(bytes) as Probe;
  expect(found).toEqual({
    ...is,
    ...("seconds" in is ? { seconds: expect.closeTo(is.seconds, 6) } : {}),
    size: bytes.length,
  });
  expect(checkAsset(found, asset)).toEqual([]);
});

const edge = fc.integer({ min: 1, max: 3000 });

test.each(pictures)("pictures of type %s are measured at any size", (_, mediaType, write) => {
  fc.assert(
    fc.property(edge, edge, (width, height) => {
      expect(probe(write({ width, height }))).toMatchObject({ kind: "image", mediaType, width, height });
    }),
    { numRuns: 20 },
  );
});

test("movies of any length and rate are measured", () => {
  const frames = fc.integer({ min: 1, max: 300 });
  const ticks = fc.integer({ min: 1, max: 100 });
  const runs = fc.array(fc.tuple(frames, ticks), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(runs, fc.integer({ min: 1, max: 3000 }), fc.boolean(), (runs, timescale, indexFirst) => {
      const count = runs.reduce((sum, [samples]) => sum + samples, 0);
      const seconds = runs.reduce((sum, [samples, each]) => sum + samples * each, 0) / timescale;
      expect(probe(movie({ runs, timescale, indexFirst }))).toMatchObject({
        seconds: expect.closeTo(seconds, 6),
        fps: expect.closeTo(count / seconds, 6),
      });
    }),
  );
});

test("sounds of any length, rate and sample size are measured", () => {
  const options = fc.record({
    seconds: fc.integer({ min: 1, max: 100 }),
    rate: fc.integer({ min: 1, max: 200 }),
    channels: fc.integer({ min: 1, max: 6 }),
    bits: fc.constantFrom(8, 16, 24, 32),
    coding: fc.constantFrom(1, 3, 6, 7),
  });
  fc.assert(
    fc.property(options, (options) => {
      expect(probe(wav(options))).toMatchObject({ mediaType: "audio/wav", seconds: options.seconds });
    }),
  );
  const kilobits = fc.array(fc.constantFrom(32, 64, 128), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 500 }), kilobits, (frames, kilobits) => {
      const seconds = frames * FRAME_SECONDS;
      expect(probe(mp3({ seconds, kilobits }))).toMatchObject({
        mediaType: "audio/mpeg",
        seconds: expect.closeTo(seconds, 6),
      });
    }),
  );
});

test("a file on the disk is read like its bytes", () => {
  const folder = mkdtempSync(join(tmpdir(), "media-"));
  try {
    for (const { bytes } of samples) {
      const path = join(folder, "no-name-that-says-anything");
      writeFileSync(path, bytes);
      expect(probeSource({ path })).toEqual(probe(bytes));
      expect(probeSource({ base64: Buffer.from(bytes).toString("base64") })).toEqual(probe(bytes));
    }
    expect(() => openFile(folder)).toThrow("not a regular file");
    expect(() => openFile(join(folder, "none"))).toThrow("ENOENT");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a part of a larger buffer is read as a file of its own", () => {
  for (const { bytes } of samples) {
    const large = new Uint8Array(bytes.length * 2 + 64).fill(0xff);
    large.set(bytes, 32);
    expect(probe(large.subarray(32, 32 + bytes.length))).toEqual(probe(bytes));
    const cut = Math.floor(bytes.length / 2);
    expect(probe(large.subarray(32, 32 + cut))).toEqual(probe(bytes.subarray(0, cut)));
  }
});

test("a video of 50 MB needs the reading of a few kilobytes", () => {
  const file = movie({ indexFirst: false });
  const data = place(file, "mdat") - 4;
  // The same file with 50 MB between its first frame and its index, which are never looked at.
  const extra = 50 * 1024 * 1024;
  const grown = Uint8Array.from(file);
  new DataView(grown.buffer).setUint32(data, new DataView(file.buffer).getUint32(data) + extra);
  const head = data + 16;
  let asked = 0;
  const reader: Reader = {
    size: file.length + extra,
    read(offset, length) {
      asked += length;
      return Uint8Array.from({ length: Math.min(length, file.length + extra - offset) }, (_, index) => {
        const at = offset + index;
        if (at < head) return grown[at] as number;
        return at < head + extra ? 0 : (grown[at - extra] as number);
      });
    },
  };
  expect(probe(reader)).toEqual({ ...(probe(file) as Probe), size: reader.size });
  expect(asked).toBeLessThan(64 * 1024);
});
