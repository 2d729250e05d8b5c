import fc from "fast-check";
import { expect, it } from "vitest";
import { forecastOf, rangeOf } from "../../packages/console/web/src/usage/forecast.ts";

const HOUR = 3_600_000;
const moment = fc
  .date({ min: new Date("2026-01-01T00:00:00Z"), max: new Date("2031-01-01T00:00:00Z"), noInvalidDate: true })
  .map((date) => Math.floor(date.getTime() / HOUR) * HOUR);

it("an even spend is forecast as what a whole month of it comes to", () => {
  fc.assert(
    fc.property(moment, fc.integer({ min: 1, max: 1_000 }), (now, perHour) => {
      const { from } = rangeOf(now);
      const points: { at: string; usdCost: number }[] = [];
      for (let at = Date.parse(from); at < now; at += HOUR)
        points.push({ at: new Date(at).toISOString(), usdCost: perHour });
      const date = new Date(now);
      const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
      const whole = (month - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)) / HOUR;
      const { spent, expected } = forecastOf(points, now);
      expect(expected).toBeCloseTo(whole * perHour, 5);
      expect(spent).toBeLessThanOrEqual(expected);
    }),
  );
});

it("what was spent before this month counts for the pace alone", () => {
  const now = Date.parse("2026-03-03T00:00:00Z");
  const told = forecastOf([{ at: "2026-02-25T00:00:00Z", usdCost: 7 }], now);
  expect(told.spent).toBe(0);
  expect(told.expected).toBeCloseTo(29);
});
