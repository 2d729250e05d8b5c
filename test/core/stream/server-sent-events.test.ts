import { type Frame, FrameTooLong, readFrames, writeFrame } from "@manifold-gateway/core";
import { run } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { expect, test } from "vitest";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const cut = (input: Uint8Array, places: number[]): Uint8Array[] => {
  const at = [...new Set(places.map((place) => place % (input.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, i) => input.subarray(from, at[i] ?? input.length));
};
const read = (reads: Uint8Array[]): Frame[] => run(readFrames(), reads);

const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
const word = fc.string({
  unit: fc.constantFrom("a", "é", "漢", "🙂", " ", ":", "\u2028", "{", '"', "\uFEFF"),
  maxLength: 6,
});
const line = fc.oneof(
  word.map((text) => `data: ${text}`),
  word.map((text) => `data:${text}`),
  word.map((text) => `event: ${text}`),
  word.map((text) => `: ${text}`),
  word.map((text) => `id: ${text}`),
  fc.constantFrom("", "data", "retry: 5", "unknown: x", ":", "dat", "data : x", "err", "error:"),
  word.map((text) => `error: ${JSON.stringify({ message: text })}`),
  word.map((text) => JSON.stringify({ error: text })),
);
const stream = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(line, lineEnd), { maxLength: 12 }), line)
  .map(([bom, lines, last]) => (bom ? "\uFEFF" : "") + lines.flat().join("") + last);

test("any split of the bytes gives the same frames", () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(), { maxLength: 6 }), (text, places) => {
      const input = bytes(text);
      const whole = read([input]);
      expect(read(cut(input, places))).toEqual(whole);
      expect(read(Array.from(input, (_, i) => input.subarray(i, i + 1)))).toEqual(whole);
    }),
    { numRuns: 1500 },
  );
});

test("an error outside of the rules is a frame of its own", () => {
  const text =
    'data: 1\n\nerror: {"code":500,"message":"full"}\n\n{"error":{"message":"gone"}}\r\ndata: 2\n\n{"a":1}\n';
  expect(read([bytes(text)])).toEqual([
    { data: "1" },
    { event: "error", data: '{"error":{"code":500,"message":"full"}}' },
    { event: "error", data: '{"error":{"message":"gone"}}' },
    { data: "2" },
  ]);
});

test("any written data is read back", () => {
  const data = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\r", "\n"));
  const frame = fc.record({
    data,
    event: fc.option(fc.stringMatching(/^[a-z._]{1,12}$/), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(frame), (frames) => {
      const text = frames.map((each) => writeFrame(each.data, each.event)).join("");
      expect(read([bytes(text)])).toEqual(
        frames.map((each) => (each.event === undefined ? { data: each.data } : each)),
      );
    }),
  );
});

test("line ends in data and names start no field", () => {
  expect(read([bytes(writeFrame("a\r\nevent: b\rc", "x\ndata: y"))])).toEqual([
    { event: "x data: y", data: "a\nevent: b\nc" },
  ]);
});

test.each([
  ["carriage returns", "event: a\rdata: 1\r\rdata: 2\r\r", [{ event: "a", data: "1" }, { data: "2" }]],
  ["both line ends", "data: 1\r\n\r\ndata: 2\r\n\r\n", [{ data: "1" }, { data: "2" }]],
  ["a byte order mark", "\uFEFFdata: 1\n\n", [{ data: "1" }]],
  ["comments", ": hello\n\ndata: 1\n: between\n\n", [{ data: "1" }]],
  ["several data lines", "data: 1\ndata: 2\n\n", [{ data: "1\n2" }]],
  ["an unterminated last event", "data: 1\n\ndata: 2", [{ data: "1" }, { data: "2" }]],
  ["a last line end missing", "data: 2\r\n", [{ data: "2" }]],
])("frames are read: %s", (_, text, frames) => {
  expect(read([bytes(text)])).toEqual(frames);
});

test("the limit is the same for every split: earlier frames are returned, then it throws", () => {
  const limit = 40;
  const event = fc
    .array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 3 })
    .map((sizes) => sizes.map((size) => `data: ${"x".repeat(size)}`).join("\n"));
  const outcome = (reads: Uint8Array[]): { frames: Frame[]; tooLong: boolean } => {
    const machine = readFrames(limit);
    const frames: Frame[] = [];
    try {
      for (const part of reads) frames.push(...machine.step(part));
      frames.push(...machine.end());
      return { frames, tooLong: false };
    } catch (error) {
      expect(error).toBeInstanceOf(FrameTooLong);
      return { frames, tooLong: true };
    }
  };
  fc.assert(
    fc.property(fc.array(event, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 6 }), (events, places) => {
      const input = bytes(events.map((each) => `${each}\n\n`).join(""));
      const sizes = events.map((each) => each.replaceAll("data: ", "").length);
      const first = sizes.findIndex((size) => size > limit);
      const split = outcome(cut(input, places));
      expect(split.tooLong).toBe(first >= 0);
      expect(split.frames).toHaveLength(first < 0 ? events.length : first);
    }),
    { numRuns: 1000 },
  );
});

test("keep-alive comments never add up to the limit", () => {
  const machine = readFrames(100);
  for (let i = 0; i < 100; i++) expect(machine.step(bytes(": keep-alive\n\n"))).toEqual([]);
  expect(machine.step(bytes("data: 1\n\n"))).toEqual([{ data: "1" }]);
});

test("an endless line is abandoned", () => {
  const machine = readFrames(100);
  expect(() => {
    for (let i = 0; i < 100; i++) machine.step(bytes("data: xxxxxxxxxx"));
  }).toThrow(FrameTooLong);
});
