import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { highest, MEASURES, type Series, spendOf } from "../../packages/console/web/src/usage/measures.ts";
import { sheetName, usageSheet } from "../../packages/console/web/src/usage/sheet.ts";
import { rangeBefore } from "../../packages/console/web/src/usage/time.ts";
import { type ColorMemory, tonesOf } from "../../packages/console/web/src/usage/tones.ts";

type One = Series["series"][number];
type Point = One["points"][number];

const HOURS = ["2026-11-23T00:00:00.000Z", "2026-11-23T01:00:00.000Z", "2026-11-23T02:00:00.000Z"];
const NONE = {
  ...{ requests: 0, failed: 0, usdCost: 0, microCost: 0, inputTokens: 0, outputTokens: 0 },
  ...{ cacheReadTokens: 0, reasoningTokens: 0, images: 0, seconds: 0, characters: 0 },
};
const point = (hour: number, sums: Partial<Point>): Point => ({ at: HOURS[hour]!, ...NONE, ...sums });
const series = (name: string | undefined, points: Point[]): One =>
  ({ ...(name === undefined ? { count: 2 } : { name }), total: NONE, points }) as One;
const data = (all: One[]): Series =>
  ({ from: HOURS[0], to: "2026-11-23T03:00:00.000Z", bucket: "hour", by: "model", series: all }) as Series;

describe("the highest bucket", () => {
  it("a share is that of all series together, not the sum of the shares of each", () => {
    const split = data([
      series("a", [point(0, { requests: 1, failed: 1 }), point(1, { requests: 10, failed: 6 })]),
      series("b", [point(0, { requests: 9 }), point(1, { requests: 10, failed: 3 })]),
    ]);
    expect(highest(split, MEASURES.errors)).toBe(HOURS[1]);
  });

  it("splitting moves the highest bucket of no measure", () => {
    const sums = fc.record({
      requests: fc.integer({ min: 1, max: 9 }),
      failed: fc.nat(1),
      usdCost: fc.nat(9),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(sums, sums, sums), { minLength: 2, maxLength: 5 }), (all) => {
        const split = data(
          all.map((own, n) =>
            series(
              `m${n}`,
              own.map((sums, hour) => point(hour, sums)),
            ),
          ),
        );
        const whole = HOURS.map((_, hour) => {
          const sum = (name: "requests" | "failed" | "usdCost") =>
            all.reduce((sum, own) => sum + own[hour]![name], 0);
          return point(hour, { requests: sum("requests"), failed: sum("failed"), usdCost: sum("usdCost") });
        });
        for (const measure of [MEASURES.spend, MEASURES.requests, MEASURES.errors])
          expect(highest(split, measure)).toBe(highest(data([series("", whole)]), measure));
      }),
    );
  });

  it("durations of several series have none, those of one have theirs", () => {
    const own = [point(0, { requests: 1, p95Ms: 9 }), point(1, { requests: 1, p95Ms: 5 })];
    expect(highest(data([series("a", own)]), MEASURES.p95)).toBe(HOURS[0]);
    expect(highest(data([series("a", own), series("b", own)]), MEASURES.p95)).toBeUndefined();
  });
});

describe("the sheet of usage", () => {
  it("a sheet leaves out a share of nothing, writes a sum of nothing as 0, and counts the others by name", () => {
    const some = data([series("=a", [point(1, { requests: 2, failed: 1 })]), series(undefined, [])]);
    expect(usageSheet(some, MEASURES.errors).split("\r\n")).toEqual([
      "hour,'=a,2 others",
      `${HOURS[0]},,`,
      `${HOURS[1]},0.5,`,
      `${HOURS[2]},,`,
      "",
    ]);
    expect(usageSheet(some, MEASURES.requests).split("\r\n")[1]).toBe(`${HOURS[0]},0,0`);
  });

  it("the name of a sheet says the measure, the split, the filters, and the first and the last day", () => {
    expect(sheetName("spend", data([]), { model: "a/b" })).toBe(
      "usage_spend_by-model_model-a-b_from-2026-11-23_to-2026-11-23.csv",
    );
  });
});

describe("colours of series", () => {
  it("an outcome has one colour, whichever others stand beside it", () => {
    const outcomes = ["succeeded", "failed", "aborted", "cancelled"];
    const all = tonesOf(outcomes, "status");
    expect(new Set(all).size).toBe(4);
    fc.assert(
      fc.property(fc.shuffledSubarray(outcomes), (some) => {
        expect(tonesOf(some, "status")).toEqual(some.map((name) => all[outcomes.indexOf(name)]));
      }),
    );
  });

  it("a model keeps its colour when others are filtered out, and no two of a chart have the same", () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(names, fc.nat(), (names, at) => {
        const kept: ColorMemory = new Map();
        const all = tonesOf([...names, undefined], "model", kept);
        expect(new Set(all).size).toBe(names.length + 1);
        const one = names[at % names.length]!;
        expect(tonesOf([one], "model", kept)).toEqual([all[names.indexOf(one)]]);
        expect(tonesOf([...names, undefined].reverse(), "model", kept)).toEqual(all.toReversed());
      }),
    );
  });

  it("names of several charts share colours only where there are too few", () => {
    const kept: ColorMemory = new Map();
    const first = tonesOf(["a", "b", "c"], "model", kept);
    const second = tonesOf(["d", "e", "f"], "model", kept);
    expect(new Set([...first, ...second]).size).toBe(6);
    expect(new Set(tonesOf(["g", "a", "d", "h", "b", "e"], "model", kept)).size).toBe(6);
  });
});

it("compares a series with its own in the range before, where it cannot be among others there", () => {
  const of = (name: string | undefined, usdCost: number): One =>
    ({ ...series(name, []), total: { ...NONE, usdCost } }) as One;
  expect(spendOf(data([of("a", 2)]), "a")).toBe(2);
  expect(spendOf(data([of("a", 2)]), "b")).toBe(0);
  expect(spendOf(data([of("a", 2), of(undefined, 3)]), "b")).toBeUndefined();
  const range = { from: "2026-11-08T00:00:00.000Z", to: "2026-11-15T00:00:00.000Z" };
  expect(rangeBefore(range)).toEqual({ from: "2026-11-01T00:00:00.000Z", to: range.from });
});
