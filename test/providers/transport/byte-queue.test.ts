import fc from "fast-check";
import { expect, it } from "vitest";
import { ByteQueue } from "../../../packages/providers/src/transport/byte-queue.ts";

it("a queue gives back the bytes that it was given, in order", () => {
  const size = fc.oneof(fc.constant(1), fc.nat(300));
  fc.assert(
    fc.property(fc.array(size, { maxLength: 5_000 }), fc.nat(5_000), (sizes, at) => {
      const queue = new ByteQueue();
      const pieces = sizes.map((bytes, index) => new Uint8Array(bytes).fill(index));
      const taken = [];
      for (const [index, piece] of pieces.entries()) {
        if (index === at) taken.push(queue.take());
        queue.push(piece);
      }
      taken.push(queue.take());
      expect(Buffer.concat(taken).equals(Buffer.concat(pieces))).toBe(true);
      expect(queue).toMatchObject({ size: 0, pieces: 0 });
    }),
    { numRuns: 30 },
  );
});

it("a body in chunks of one byte is a few thousand pieces in memory", () => {
  const queue = new ByteQueue();
  const byte = new Uint8Array(1);
  for (let at = 0; at < 1_000_000; at++) queue.push(byte);
  expect(queue.size).toBe(1_000_000);
  expect(queue.pieces).toBeLessThan(2_048);
});
