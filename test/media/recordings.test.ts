import { checkRecording, type Probe, probe } from "@manifold-gateway/media";
import fc from "fast-check";
import {
  AdtsOutputFormat,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  MkvOutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from "mediabunny";
import { describe, expect, it } from "vitest";
import { samples } from "../../packages/simulator/src/samples/index.ts";

/** A packet of Opus whose first byte says 20 ms, mono; one of AAC has 1024 samples whatever is in it. */
const packets = { opus: Uint8Array.of(0x78, 1, 2, 3), aac: Uint8Array.of(0x21, 0x10, 4, 5) };
const lengths = { opus: 0.02, aac: 1024 / 48_000 };
/** Mono at 48 kHz: of the low complexity profile, and the head of an Opus stream without lead. */
const description = {
  aac: Uint8Array.of(0x11, 0x88),
  opus: Uint8Array.of(...Buffer.from("OpusHead"), 1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0),
};

/** A file of so many packets, by another writer of its format. */
async function write(format: OutputFormat, codec: "opus" | "aac", count: number, filmed = false) {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const sound = new EncodedAudioPacketSource(codec);
  const picture = new EncodedVideoPacketSource("vp8");
  output.addAudioTrack(sound);
  if (filmed) output.addVideoTrack(picture);
  await output.start();
  const duration = lengths[codec];
  const config = {
    codec: codec === "aac" ? "mp4a.40.2" : "opus",
    numberOfChannels: 1,
    sampleRate: 48_000,
    description: description[codec],
  };
  for (let at = 0; at < count; at++)
    await sound.add(new EncodedPacket(packets[codec], "key", at * duration, duration), {
      decoderConfig: config,
    });
  const frame = Uint8Array.of(0x10, 0, 0, 0x9d, 1, 0x2a, 64, 0, 48, 0);
  const still = { decoderConfig: { codec: "vp8", codedWidth: 64, codedHeight: 48 } };
  if (filmed) await picture.add(new EncodedPacket(frame, "key", 0, count * duration), still);
  await output.finalize();
  return new Uint8Array(target.buffer!);
}

const written: [mediaType: string, codec: "opus" | "aac", format: () => OutputFormat, filmed?: boolean][] = [
  ["audio/webm", "opus", () => new WebMOutputFormat()],
  ["video/webm", "opus", () => new WebMOutputFormat(), true],
  ["audio/x-matroska", "opus", () => new MkvOutputFormat()],
  ["audio/ogg", "opus", () => new OggOutputFormat()],
  ["audio/aac", "aac", () => new AdtsOutputFormat()],
  ["audio/mp4", "aac", () => new Mp4OutputFormat()],
];

describe("recordings", () => {
  it.each(written)(
    "%s of %s, by another writer, is as long as its packets",
    async (type, codec, format, filmed) => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 2, max: 400 }), async (count) => {
          const bytes = await write(format(), codec, count, filmed);
          const result = probe(bytes) as Probe;
          expect(result).toMatchObject({ mediaType: type, size: bytes.length });
          const { seconds } = result as { seconds: number };
          // Times in these containers are whole milliseconds; the last packet may have no length of its own.
          expect(Math.abs(seconds - count * lengths[codec])).toBeLessThan(0.025);
          expect(checkRecording(result)).toEqual([]);
        }),
        { numRuns: 6 },
      );
    },
  );

  it.each([
    ["audio/flac", samples.flac],
    ["audio/ogg", samples.opus],
    ["audio/aac", samples.aac],
    ["audio/mpeg", samples.mp3],
  ] as const)("the simulator's %s is as long as was asked for", (mediaType, make) => {
    for (const seconds of [1, 3, 30]) {
      const result = probe(make(seconds)) as Probe & { seconds: number };
      expect(result).toMatchObject({ kind: "audio", mediaType });
      expect(Math.abs(result.seconds - seconds)).toBeLessThan(0.15);
    }
  });

  it("no cut file plays for longer than its whole, and one with another byte has a length or an error", async () => {
    const files = await Promise.all(
      written.map(([, codec, format, filmed]) => write(format(), codec, 60, filmed)),
    );
    files.push(new Uint8Array(samples.flac(2)), new Uint8Array(samples.opus(2)));
    const lengthOf = (result: ReturnType<typeof probe>): number => ("seconds" in result ? result.seconds : 0);
    const wholes = files.map((bytes) => lengthOf(probe(bytes)));
    expect(Math.min(...wholes)).toBeGreaterThan(1);
    const change = fc.tuple(
      fc.nat(files.length - 1),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(255),
    );
    fc.assert(
      fc.property(change, fc.boolean(), ([file, place, value], isCut) => {
        const bytes = Uint8Array.from(files[file]!);
        const at = Math.floor(place ** 2 * bytes.length);
        if (!isCut) bytes[at] = value;
        const result = probe(isCut ? bytes.subarray(0, at) : bytes, { steps: 100_000 });
        const length = lengthOf(result);
        if (result.kind === "failure") expect(result.message).toMatch(/\w/);
        else if (isCut) expect(length).toBeLessThanOrEqual(wholes[file]!);
        else expect(Number.isFinite(length)).toBe(true);
      }),
      { numRuns: 600 },
    );
  });

  it("a film without sound is none", () => {
    const film = probe(samples.mp4({ w: 64, h: 48, seconds: 2, fps: 4 }));
    expect(checkRecording(film)).toEqual([
      { code: "unsupported_format", message: "The video/mp4 file has no sound." },
    ]);
  });
});
