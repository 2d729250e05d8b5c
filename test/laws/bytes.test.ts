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
});
