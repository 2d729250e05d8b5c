import { quantiles, type Sketch } from "@manifold-gateway/store";
import { expect } from "vitest";

export const SHARES = [0, 0.5, 0.9, 0.95, 0.99, 1];

/** The value that a share of values did not exceed. */
export const exactOf = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length - 1e-9) - 1)]!;

/** Compares the percentiles of a sketch with those of its latencies. */
export function expectClose(sketch: Sketch, values: readonly number[]): void {
  const found = quantiles(sketch, SHARES);
  expect(found).toHaveLength(values.length === 0 ? 0 : SHARES.length);
  for (const [at, value] of found.entries()) {
    const exact = exactOf(values, SHARES[at]!);
    expect(Math.abs(value - exact)).toBeLessThanOrEqual(exact * 0.05);
    expect(value).toBeLessThanOrEqual(Math.max(...values));
  }
}
