import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { daysOf, rangeIn } from "../../packages/console/web/src/usage/time.ts";

const DAY = 86_400_000;
const NOW = Date.parse("2026-11-23T13:20:00Z");
const day = fc
  .date({ min: new Date("2024-01-01T00:00:00Z"), max: new Date("2031-01-01T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe("the range of a screen", () => {
  it("a range of two days has both, and shows them again", () => {
    fc.assert(
      fc.property(day, fc.nat(500), (from, more) => {
        const to = new Date(Date.parse(from) + more * DAY).toISOString().slice(0, 10);
        const range = rangeIn({ from, to });
        expect(Date.parse(range.to) - Date.parse(range.from)).toBe((more + 1) * DAY);
        expect(daysOf(range)).toEqual({ from, to });
      }),
    );
  });

  it("a range from midnight to midnight, as a figure links to, shows the days that are in it", () => {
    const range = { from: "2026-11-23T00:00:00.000Z", to: "2026-11-24T00:00:00.000Z" };
    expect(rangeIn(range)).toEqual(range);
    expect(daysOf(range)).toEqual({ from: "2026-11-23", to: "2026-11-23" });
  });

  it("today begins at midnight, and yesterday is the whole day before", () => {
    expect(rangeIn({ days: "today" }, NOW)).toEqual({
      from: "2026-11-23T00:00:00.000Z",
      to: "2026-11-23T14:00:00.000Z",
    });
    expect(rangeIn({ days: "yesterday" }, NOW)).toEqual({
      from: "2026-11-22T00:00:00.000Z",
      to: "2026-11-23T00:00:00.000Z",
    });
  });

  it("a number of days ends with the full hour, and 30 days are usual", () => {
    expect(rangeIn({ days: "7" }, NOW).from).toBe("2026-11-16T14:00:00.000Z");
    expect(rangeIn({}, NOW)).toEqual(rangeIn({ days: "30" }, NOW));
    expect(rangeIn({ days: "nonsense" }, NOW)).toEqual(rangeIn({ days: "30" }, NOW));
  });
});
