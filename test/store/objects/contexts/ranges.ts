import { serveObject } from "@manifold-gateway/store";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { pattern, readAll } from "../bytes.ts";
import type { Context } from "../suite.ts";

const KEY = "ranges/0.mp4";
const SIZE = 1_000;
const BYTES = pattern(SIZE);

export const ranges: Context = (place) => {
  beforeAll(() => place().objects.put(KEY, BYTES, { mediaType: "video/mp4" }));

  it("an object is read between two positions", async () => {
    const position = fc.integer({ min: 0, max: SIZE + 50 });
    await fc.assert(
      fc.asyncProperty(position, position, async (one, other) => {
        const range = { start: Math.min(one, other), end: Math.max(one, other) };
        const reading = place().objects.get(KEY, { range });
        if (range.start >= SIZE) {
          await expect(reading).rejects.toMatchObject({ code: "bad_range" });
          return;
        }
        const found = await reading;
        expect(found).toMatchObject({
          size: SIZE,
          range: { start: range.start, end: Math.min(range.end, SIZE - 1) },
        });
        expect(await readAll(found!.stream)).toEqual(BYTES.subarray(range.start, range.end + 1));
      }),
      { numRuns: 60 },
    );
  });

  it("a range header is answered with the bytes that picking one by one would give", async () => {
    const number = fc.oneof(fc.nat(SIZE + 20), fc.constantFrom(0, SIZE - 1, SIZE, 999_999_999_999));
    const header = fc.oneof(
      fc.tuple(number, number).map(([first, last]) => `bytes=${first}-${last}`),
      number.map((first) => `bytes=${first}-`),
      number.map((length) => `bytes=-${length}`),
    );
    await fc.assert(
      fc.asyncProperty(header, async (range) => {
        const answer = await serveObject(place().objects, KEY, {
          method: "GET",
          headers: new Headers({ range }),
        });
        const expected = pick(range);
        if (expected.length === 0) {
          expect(answer).toMatchObject({ status: 416, headers: { "content-range": `bytes */${SIZE}` } });
          return;
        }
        const whole = expected.length === SIZE && answer.status === 200;
        expect(answer.status).toBe(whole ? 200 : 206);
        expect(answer.headers["content-length"]).toBe(String(expected.length));
        if (!whole)
          expect(answer.headers["content-range"]).toBe(`bytes ${expected[0]}-${expected.at(-1)}/${SIZE}`);
        const body = await readAll((answer as { body: ReadableStream<Uint8Array> }).body);
        expect(body).toEqual(Buffer.from(expected.map((at) => BYTES[at] ?? -1)));
      }),
      { numRuns: 80 },
    );
  });
};

/** The positions that a range header asks for, found by asking each position. */
function pick(header: string): number[] {
  const [first, last] = header.slice("bytes=".length).split("-") as [string, string];
  const all = Array.from({ length: SIZE }, (_, at) => at);
  if (first === "") return all.filter((at) => at >= SIZE - Number(last));
  // A last position before the first makes the header mean nothing, and the object is sent whole.
  if (last !== "" && Number(last) < Number(first)) return all;
  return all.filter((at) => at >= Number(first) && (last === "" || at <= Number(last)));
}
