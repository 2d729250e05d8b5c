import fc from "fast-check";
import { expect, it } from "vitest";
import { linesOf, namedPlaces, roomOf } from "../../packages/console/web/src/ui/scale.ts";
import { partialOf } from "../../packages/console/web/src/usage/partial.ts";
import { bucketsOf } from "../../packages/console/web/src/usage/time.ts";

it("has a few lines from zero to the first round number that no value exceeds", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (greatest) => {
      const lines = linesOf(greatest);
      const step = lines[1]!;
      expect(lines[0]).toBe(0);
      expect(lines.length).toBeGreaterThan(1);
      expect(lines.length).toBeLessThan(7);
      expect(lines.at(-1)).toBeGreaterThanOrEqual(greatest * (1 - 1e-9));
      expect(lines.at(-2)).toBeLessThan(greatest);
      for (const [at, line] of lines.entries()) expect(line).toBeCloseTo(at * step, 9);
      expect(step / 10 ** Math.floor(Math.log10(step) + 1e-9)).toSatisfy((n: number) =>
        [1, 2, 2.5, 5].some((one) => Math.abs(n - one) < 1e-6),
      );
    }),
  );
  expect(linesOf(0)).toEqual([0]);
});

it("names as many times as fit in any size of type, the first among them, equally far apart", () => {
  const [counts, widths] = [fc.integer({ min: 1, max: 400 }), fc.integer({ min: 0, max: 2_000 })];
  fc.assert(
    fc.property(counts, widths, fc.constantFrom(7, 14), (count, width, letter) => {
      const name = "2026-11-29";
      const size = roomOf([name], letter);
      const places = namedPlaces(Array<string>(count).fill(name), width, letter);
      expect(places[0]).toBe(0);
      const room = width / count;
      const gaps = places.slice(1).map((place, at) => place - places[at]!);
      expect(new Set(gaps).size).toBeLessThan(2);
      for (const gap of gaps) expect(gap * room).toBeGreaterThanOrEqual(size);
      // The first name begins at the left edge if it is wider than its time.
      const [first] = gaps;
      if (first !== undefined && width > 0)
        expect((first + 0.5) * room - size / 2).toBeGreaterThan(Math.max(size, room / 2 + size / 2));
    }),
  );
});

it("has room for names of digits alone, and for those with marks between them", () => {
  expect(roomOf(["8", "10"], 10)).toBe(20);
  expect(roomOf(["0", "$0.20"], 10)).toBe(45);
});

it("marks the times of which a range has a part, and the one that goes on", () => {
  const range = { from: "2026-11-01T13:00:00.000Z", to: "2026-11-04T13:00:00.000Z" };
  const days = bucketsOf(range.from, range.to, "day");
  expect(partialOf(days, "day", range, Date.parse("2027-01-01T00:00:00Z"))).toEqual([0, 3]);
  const whole = { from: "2026-11-01T00:00:00.000Z", to: "2026-11-04T00:00:00.000Z" };
  const three = bucketsOf(whole.from, whole.to, "day");
  expect(partialOf(three, "day", whole, Date.parse("2027-01-01T00:00:00Z"))).toEqual([]);
  expect(partialOf(three, "day", whole, Date.parse("2026-11-03T10:00:00Z"))).toEqual([2]);
});
