import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountIn, decimalsOf } from "../../packages/console/web/src/amounts.ts";
import { wholeUsd } from "../../packages/console/web/src/format.ts";
import { beginningWith, matching } from "../../packages/console/web/src/ui/options.ts";

const MILLION = 1_000_000;
/** Amounts as columns have them: whole millionths of a dollar, of any size and sign. */
const micros = fc.oneof(
  fc.integer({ min: -2_000, max: 2_000 }),
  fc.integer({ min: -5_000_000, max: 5_000_000 }),
  fc.integer({ min: 0, max: 5_000_000_000 }),
);
const columns = fc.array(micros, { minLength: 1, maxLength: 30 });
const shownIn = (column: readonly number[]): string[] => {
  const amounts = column.map((one) => one / MILLION);
  return amounts.map((amount) => amountIn(amount, decimalsOf(amounts)));
};
const readBack = (text: string): number => Number(text.replace("−", "-").replace(/[$,]/g, ""));

describe("amounts of a column", () => {
  it("have the same number of decimals", () => {
    fc.assert(
      fc.property(columns, (column) => {
        const decimals = shownIn(column).map((text) => text.split(".")[1]?.length);
        expect(new Set(decimals).size).toBe(1);
      }),
    );
  });

  it("are the amounts to the last shown decimal, and what is not zero does not read as zero", () => {
    fc.assert(
      fc.property(columns, (column) => {
        const least = 10 ** -decimalsOf(column.map((one) => one / MILLION));
        for (const [at, text] of shownIn(column).entries()) {
          const amount = column[at]! / MILLION;
          if (text.startsWith("<")) expect(Math.abs(amount)).toBeLessThan(least);
          else expect(Math.abs(readBack(text) - amount)).toBeLessThanOrEqual(least / 2 + 1e-9);
          if (amount !== 0) expect(readBack(text.replace("<", ""))).not.toBe(0);
        }
      }),
    );
  });

  it("are few decimals where they are large, and enough where they are small", () => {
    expect(shownIn([964_496_395, 12_500_000, 24_915_898, 439])).toEqual([
      "$964.50",
      "$12.50",
      "$24.92",
      "<$0.01",
    ]);
    expect(shownIn([964_496_395, 439, 10])).toEqual(["$964.4964", "$0.0004", "<$0.0001"]);
    expect(shownIn([609_840, 439, 6_400])).toEqual(["$0.6098", "$0.0004", "$0.0064"]);
    expect(shownIn([3, 14, 0])).toEqual(["$0.000003", "$0.000014", "$0.000000"]);
    expect(shownIn([25_000_000, 500_000])).toEqual(["$25.00", "$0.50"]);
    expect(wholeUsd(964.496395)).toBe("$964.496395");
  });
});

describe("the options of a choice", () => {
  const options = ["all", "Anna", "bar", "Berta", "bike"].map((text) => ({ value: `id-${text}`, text }));

  it("are found by letters from where one is, and around the end", () => {
    expect(beginningWith(options, "b", { at: 0, isAfter: true })).toBe(2);
    expect(beginningWith(options, "b", { at: 2, isAfter: true })).toBe(3);
    expect(beginningWith(options, "be", { at: 3, isAfter: false })).toBe(3);
    expect(beginningWith(options, "a", { at: 4, isAfter: true })).toBe(0);
    expect(beginningWith(options, "x", { at: 0, isAfter: true })).toBeUndefined();
  });

  it("are narrowed to those that have what was typed in their text, value or note", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ value: fc.string(), text: fc.string() })),
        fc.string(),
        (all, typed) => {
          const wanted = typed.trim().toLowerCase();
          const has = (text: string): boolean => text.toLowerCase().includes(wanted);
          expect(matching(all, typed)).toEqual(all.filter(({ value, text }) => has(value) || has(text)));
        },
      ),
    );
  });
});
