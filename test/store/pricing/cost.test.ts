import { type Counts, costOf, type Price, toMicro, toUsd, UNITS } from "@manifold-gateway/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const count = fc.oneof(fc.nat(50), fc.nat(100_000_000));
const rate = fc.oneof(fc.nat(10), fc.nat(100_000_000));
const price: fc.Arbitrary<Price> = fc.record(
  Object.fromEntries(UNITS.map((unit) => [unit, rate])) as Record<keyof Price, fc.Arbitrary<number>>,
  { requiredKeys: [] },
);
/** Parts that fit into their wholes. */
const usage: fc.Arbitrary<Required<Counts>> = fc.tuple(...UNITS.map(() => count)).map((counts) => {
  const all = Object.fromEntries(UNITS.map((unit, n) => [unit, counts[n]])) as Required<Counts>;
  const cacheWrite = all.cacheWrite + all.cacheWriteLong;
  return {
    ...all,
    cacheWrite,
    input: all.input + all.cacheRead + cacheWrite + all.audioInput + all.imageInput,
    output: all.output + all.reasoning + all.audioOutput + all.imageOutput,
  };
});

describe("the cost of a generation", () => {
  it.each<[string, Counts, Price, number]>([
    ["nothing for nothing", {}, { input: 5 }, 0],
    ["a price of 0.02 USD per million, exactly", { input: 50 }, { input: 20_000 }, 1],
    ["never nothing for something", { input: 1 }, { input: 1 }, 1],
    [
      "one rounding for all, not one for each",
      { input: 1, output: 1 },
      { input: 400_000, output: 400_000 },
      1,
    ],
    [
      "parts at their price, the rest at the whole's",
      { input: 100, cacheRead: 60 },
      { input: 1e6, cacheRead: 1e5 },
      46,
    ],
    ["parts without a price as their whole", { output: 10, reasoning: 4 }, { output: 1e6 }, 10],
    [
      "a part of a part",
      { input: 10, cacheWrite: 6, cacheWriteLong: 2 },
      { input: 1e6, cacheWrite: 2e6, cacheWriteLong: 4e6 },
      20,
    ],
    [
      "a part of a part as its whole",
      { input: 10, cacheWrite: 6, cacheWriteLong: 2 },
      { input: 1e6, cacheWrite: 2e6 },
      16,
    ],
    ["a whole that was not told as the sum of its parts", { cacheRead: 3, audioInput: 4 }, { input: 1e6 }, 7],
    [
      "no more than the whole for parts that overlap",
      { input: 10, cacheRead: 9, audioInput: 9 },
      { input: 1e6 },
      10,
    ],
    ["a part of a price of nothing", { input: 10, cacheRead: 4 }, { input: 1e6, cacheRead: 0 }, 6],
    ["seconds to the millisecond", { seconds: 5.04 }, { seconds: 100_000 * 1e6 }, 504_000],
    ["images and requests", { images: 3, requests: 1 }, { images: 4e10, requests: 1e9 }, 121_000],
    ["characters", { characters: 1_000 }, { characters: 15_000_000 }, 15_000],
  ])("the cost of a generation is %s", (_, counts, at, cost) => {
    expect(costOf(counts, at)).toBe(cost);
  });

  const calls = [
    "webSearches",
    "groundedRequests",
    "fileSearches",
    "codeSessions",
    "mapSearches",
    "searchUnits",
  ] as const;

  it("the cost of a generation is the exact sum, rounded up once", () => {
    fc.assert(
      fc.property(usage, price, (used, at) => {
        const of = (unit: keyof Price, fallback = 0) => BigInt(at[unit] ?? fallback);
        const n = (value: number) => BigInt(value);
        const [input, output, write] = [of("input"), of("output"), of("cacheWrite", at.input ?? 0)];
        const plainInput = used.input - used.cacheRead - used.cacheWrite - used.audioInput - used.imageInput;
        const plainOutput = used.output - used.reasoning - used.audioOutput - used.imageOutput;
        const total =
          n(plainInput) * input +
          n(used.cacheRead) * of("cacheRead", at.input ?? 0) +
          n(used.cacheWrite - used.cacheWriteLong) * write +
          n(used.cacheWriteLong) * of("cacheWriteLong", Number(write)) +
          n(used.audioInput) * of("audioInput", Number(input)) +
          n(used.imageInput) * of("imageInput", Number(input)) +
          n(plainOutput) * output +
          n(used.reasoning) * of("reasoning", Number(output)) +
          n(used.audioOutput) * of("audioOutput", Number(output)) +
          n(used.imageOutput) * of("imageOutput", Number(output)) +
          n(used.images) * of("images") +
          n(used.seconds) * of("seconds") +
          n(used.characters) * of("characters") +
          n(used.requests) * of("requests") +
          calls.reduce((sum, unit) => sum + n(used[unit]) * of(unit), 0n);
        expect(BigInt(costOf(used, at))).toBe((total + 999_999n) / 1_000_000n);
      }),
    );
  });

  it("the cost is the same at one price for everything, however the parts are reported", () => {
    const anyParts = fc.record(
      { cacheRead: count, cacheWrite: count, cacheWriteLong: count, audioInput: count, imageInput: count },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(count, anyParts, rate, (input, parts, at) => {
        expect(costOf({ ...parts, input }, { input: at })).toBe(costOf({ input }, { input: at }));
      }),
    );
  });

  it.each<[Counts, Price, RegExp]>([
    [{ input: -1 }, {}, /usage\.input must be a count from 0 up, got -1/],
    [{ output: 0.5 }, {}, /usage\.output/],
    [{ seconds: Number.POSITIVE_INFINITY }, {}, /usage\.seconds/],
    [{ input: 1, cacheRead: Number.NaN }, {}, /usage\.cacheRead/],
    [{ input: 1 }, { input: 0.5 }, /price\.input must be a whole number/],
    [{ input: 1 }, { input: -2 }, /price\.input/],
    [{ input: 9e15 }, { input: 9e15 }, /exceeds what an amount can hold/],
  ])("the cost of %o at %o is refused", (counts, at, message) => {
    expect(() => costOf(counts, at)).toThrow(message);
  });
});

it("an amount goes to USD and back without a loss", () => {
  fc.assert(
    fc.property(fc.integer({ min: -4e15, max: 4e15 }), (micro) => {
      expect(toMicro(toUsd(micro))).toBe(micro);
    }),
  );
  expect(toMicro(0.1 + 0.2)).toBe(300_000);
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 1e16])
    expect(() => toMicro(bad)).toThrow(RangeError);
});
