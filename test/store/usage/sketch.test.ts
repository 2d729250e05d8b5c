import { quantiles, type Sketch } from "@manifold-gateway/store";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  addLatency,
  addPacked,
  addSpread,
  countOf,
  newSketch,
  pack,
} from "../../../packages/store/src/usage/sketch.ts";
import { expectClose, SHARES } from "./exact.ts";

/** Latencies of every size, in whole ms. */
const latencies = fc.array(
  fc.oneof(
    fc.nat(40),
    fc.nat(100_000),
    fc.double({ min: 0, max: 20, noNaN: true }).map((log) => Math.round(Math.exp(log))),
  ),
  { minLength: 1, maxLength: 200 },
);

const sketchOf = (values: readonly number[]): Sketch => {
  const sketch = newSketch();
  for (const value of values) addLatency(sketch, value);
  return sketch;
};

it("percentiles are within 5 % of the exact ones and never above the greatest latency", () => {
  fc.assert(fc.property(latencies, (values) => expectClose(sketchOf(values), values)));
});

it("sketches that are packed and joined, in any parts, have the percentiles of all their latencies", () => {
  fc.assert(
    fc.property(fc.array(latencies, { minLength: 1, maxLength: 5 }), (parts) => {
      const merged = newSketch();
      const sketches = parts.map(sketchOf);
      const longest = Math.max(...sketches.map((one) => one.longest));
      addPacked(merged, sketches.map(pack).join(" "), longest);
      const whole = sketchOf(parts.flat());
      expect(countOf(merged)).toBe(parts.flat().length);
      expect(quantiles(merged, SHARES)).toEqual(quantiles(whole, SHARES));
      expect(merged.longest).toBe(whole.longest);
    }),
  );
});

it("latencies that are known by their bounds alone lie between these", () => {
  const bounds = fc.tuple(fc.nat(100_000), fc.integer({ min: 1, max: 100_000 }));
  fc.assert(
    fc.property(bounds, fc.integer({ min: 1, max: 50 }), ([from, width], count) => {
      const sketch = newSketch();
      addSpread(sketch, [from, from + width], count);
      expect(countOf(sketch)).toBeCloseTo(count);
      const found = quantiles(sketch, [0, 0.5, 1]);
      expect(found).toHaveLength(3);
      for (const value of found) {
        expect(value).toBeGreaterThanOrEqual(Math.floor(from / 1.05));
        expect(value).toBeLessThanOrEqual(from + width);
      }
    }),
  );
});
