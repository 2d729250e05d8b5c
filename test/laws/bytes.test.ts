import { readChunk, readFrames, writeChunk } from "@manifold-gateway/core";
import { type Json, run } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Fixture, rows, streams } from "./fixtures.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A stream as its server sends it. */
function framed({ codec, value }: Fixture<Json[]>, lineEnd: string): Uint8Array {
  const frames = value.map((chunk) => writeChunk(chunk, codec));
  return encode(`\uFEFF: hello\n\n${frames.join("")}`.replaceAll("\n", lineEnd));
}

const events = ({ codec }: Fixture<Json[]>, reads: Uint8Array[]) =>
  run(codec.reply.decode(), run(readFrames(), reads).map(readChunk));

describe("split streams", () => {
  test.each(rows(streams))("any split of the bytes of a stream gives the same events: %s", (_, stream) => {
    const whole = run(stream.codec.reply.decode(), stream.value);
    for (const lineEnd of ["\n", "\r\n", "\r"]) {
      const bytes = framed(stream, lineEnd);
      const single = Array.from(bytes, (_byte, i) => bytes.subarray(i, i + 1));
      expect(events(stream, single)).toEqual(whole);
      fc.assert(
        fc.property(fc.nat({ max: bytes.length }), fc.nat({ max: bytes.length }), (a, b) => {
          const [from, to] = [Math.min(a, b), Math.max(a, b)];
          expect(
            events(stream, [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)]),
          ).toEqual(whole);
        }),
        { numRuns: 25 },
      );
    }
  });

  test.each(rows(streams))("a split at every byte of a stream gives the same events: %s", (_, stream) => {
    const bytes = framed(stream, "\r\n");
    const whole = JSON.stringify(run(readFrames(), [bytes]));
    const stride = Math.max(1, Math.floor(bytes.length / 600));
    for (let at = 0; at <= bytes.length; at += stride)
      if (JSON.stringify(run(readFrames(), [bytes.subarray(0, at), bytes.subarray(at)])) !== whole)
        expect.fail(`the split at byte ${at} gives other frames`);
  });
});
