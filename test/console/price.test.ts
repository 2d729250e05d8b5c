import { type Counts, costLines, costOf, type Price, UNITS } from "@manifold-gateway/store";
import fc from "fast-check";
import { expect, it } from "vitest";
import { lineAmounts, total } from "../../packages/console/web/src/price.ts";

const table = (value: fc.Arbitrary<number>) =>
  fc.dictionary(fc.constantFrom(...UNITS.filter((unit) => unit !== "seconds")), value, {
    noNullPrototype: true,
  });

it("the lines of a price add up to the cost, for whatever was counted", () => {
  const counts = table(fc.nat({ max: 1_000_000 }));
  const prices = table(fc.nat({ max: 100_000_000 }));
  fc.assert(
    fc.property(counts, prices, fc.nat({ max: 3_600_000 }), (usage, price, ms) => {
      const used = { ...usage, seconds: ms / 1000 } as Counts;
      expect(total(costLines(used, price as Price))).toBe(costOf(used, price as Price));
    }),
  );
});

it("lines show all of their digits, to the same decimal", () => {
  const lines = [
    { unit: "seconds", count: 1.234, rate: 3 },
    { unit: "input", count: 12, rate: 1_000_000 },
  ];
  expect(lineAmounts(lines)).toEqual(["$0.000000000003702", "$0.000012000000000"]);
  expect(lineAmounts(lines.slice(1))).toEqual(["$0.000012"]);
});
