import { CAPS, windowEnd, windowsOf } from "@manifold-gateway/store";
import fc from "fast-check";
import { expect, it } from "vitest";

it.each([
  ["2026-11-21T23:59:59.999Z", "2026-11-21", "2026-W47", "2026-11"],
  ["2026-11-22T00:00:00.000Z", "2026-11-22", "2026-W47", "2026-11"],
  ["2026-11-22T23:59:59.999Z", "2026-11-22", "2026-W47", "2026-11"],
  ["2026-11-23T00:00:00.000Z", "2026-11-23", "2026-W48", "2026-11"],
  ["2026-11-30T23:59:59.999Z", "2026-11-30", "2026-W49", "2026-11"],
  ["2026-12-01T00:00:00.000Z", "2026-12-01", "2026-W49", "2026-12"],
  ["2028-02-29T00:00:00.000Z", "2028-02-29", "2028-W09", "2028-02"],
  ["2028-03-01T00:00:00.000Z", "2028-03-01", "2028-W09", "2028-03"],
  ["2027-02-28T23:59:59.999Z", "2027-02-28", "2027-W08", "2027-02"],
  ["2027-03-01T00:00:00.000Z", "2027-03-01", "2027-W09", "2027-03"],
  // The first days of a year can be in the last week of the one before, and the other way round.
  ["2027-01-03T23:59:59.999Z", "2027-01-03", "2026-W53", "2027-01"],
  ["2027-01-04T00:00:00.000Z", "2027-01-04", "2027-W01", "2027-01"],
  ["2024-12-30T00:00:00.000Z", "2024-12-30", "2025-W01", "2024-12"],
])("the moment %s is in the windows %s, %s and %s", (moment, daily, weekly, monthly) => {
  expect(windowsOf(Date.parse(moment))).toEqual({ daily, weekly, monthly, total: "all" });
});

const moment = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2200, 0) });

it("a window lasts to its last millisecond, and another begins at its end", () => {
  fc.assert(
    fc.property(moment, fc.constantFrom(...CAPS), (at, cap) => {
      const end = windowEnd(cap, at);
      if (end === undefined) return cap === "total";
      return (
        end > at &&
        windowsOf(end - 1)[cap] === windowsOf(at)[cap] &&
        windowsOf(end)[cap] !== windowsOf(at)[cap]
      );
    }),
  );
});

it("the name of a window never comes back, and a week has seven days", () => {
  fc.assert(
    fc.property(moment, moment, (one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      for (const cap of ["daily", "weekly", "monthly"] as const)
        expect(windowsOf(from)[cap] <= windowsOf(to)[cap]).toBe(true);
      const monday = windowEnd("weekly", from)!;
      expect(new Date(monday).getUTCDay()).toBe(1);
      expect(windowEnd("weekly", monday)! - monday).toBe(7 * 86_400_000);
    }),
  );
});
