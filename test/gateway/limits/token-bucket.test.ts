import fc from "fast-check";
import { expect, it } from "vitest";
import { createRates } from "../../../packages/gateway/src/limits/token-bucket.ts";

it("a subject may make its burst of requests at once, then as many as the rate allows, never more", () => {
  const steps = fc.array(fc.record({ pass: fc.nat(3_000), subject: fc.constantFrom("a", "b") }), {
    maxLength: 200,
  });
  const rate = fc.record({
    perMinute: fc.integer({ min: 1, max: 600 }),
    burst: fc.integer({ min: 1, max: 20 }),
  });
  fc.assert(
    fc.property(steps, rate, (list, { perMinute, burst }) => {
      let at = 1_000_000;
      const rates = createRates({ perMinute, burst }, () => at);
      const taken: Record<string, number[]> = { a: [], b: [] };
      for (const { pass, subject } of list) {
        at += pass;
        const wait = rates.take(subject);
        if (wait === 0) taken[subject]!.push(at);
        else {
          // What it is told to wait for is enough, and a little less is not.
          expect(wait).toBeLessThanOrEqual(60_000 / perMinute);
          at += wait;
          expect(rates.take(subject)).toBe(0);
          taken[subject]!.push(at);
        }
      }
      for (const times of Object.values(taken))
        for (const [i, from] of times.entries()) {
          const within = times.slice(i).filter((time) => time - from < 60_000).length;
          expect(within).toBeLessThanOrEqual(perMinute + burst);
        }
    }),
  );
});

it("a full bucket is its burst, and the next use waits for the whole interval", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 20 }), (perMinute, burst) => {
      const rates = createRates({ perMinute, burst }, () => 1_795_582_800_001);
      const waits = Array.from({ length: burst + 1 }, () => rates.take("a"));
      expect(waits.slice(0, burst)).toEqual(Array(burst).fill(0));
      expect(waits.at(-1)).toBeCloseTo(60_000 / perMinute, 0);
    }),
  );
});
