import { costOf, UNITS } from "@manifold-gateway/store";
import fc from "fast-check";
import { expect, test } from "vitest";
import { charge } from "../../../packages/gateway/src/jobs/charge.ts";

const unit = fc.constantFrom(...UNITS);
const count = fc.nat(1_000_000);
const counts = fc.dictionary(unit, count, { maxKeys: 6 });
const prices = fc.dictionary(unit, fc.nat(10_000_000), { maxKeys: 6 });
const odd = fc.constantFrom<unknown>(-1, 0.5, "7", Number.NaN, Number.POSITIVE_INFINITY, 1e15, null);

test("a charge is what its own record costs, whatever was reported", () => {
  fc.assert(
    fc.property(prices, counts, fc.dictionary(unit, fc.oneof(count, odd)), (price, estimate, reported) => {
      const { cost, usage } = charge(
        price,
        estimate,
        reported as typeof counts extends fc.Arbitrary<infer C> ? C : never,
      );
      expect(costOf(usage, price)).toBe(cost);
    }),
  );
});

test("reported figures count; a priced one that is missing is estimated, and marked as such", () => {
  fc.assert(
    fc.property(counts, (reported) => {
      expect(charge(reported, {}, reported).usage).toEqual(reported);
    }),
  );
  expect(charge({ images: 5 }, { images: 3 }, {})).toEqual({
    cost: 1,
    usage: { images: 3, estimated: true },
  });
  expect(charge({ images: 5 }, { images: 3, output: 4 }, { images: 2, output: 9 }).usage).toEqual({
    images: 2,
    output: 9,
  });
});

test("implausible figures are ignored", () => {
  fc.assert(
    fc.property(odd, (figure) => {
      expect(charge({ output: 1_000_000 }, { output: 7 }, { output: figure as number })).toEqual({
        cost: 7,
        usage: { output: 7, estimated: true },
      });
    }),
  );
});

test("a part without figures of its own is counted in its whole", () => {
  const price = { output: 1_000_000, imageOutput: 2_000_000 };
  expect(charge(price, { output: 9, imageOutput: 9 }, { output: 5 })).toEqual({
    cost: 5,
    usage: { output: 5 },
  });
});
