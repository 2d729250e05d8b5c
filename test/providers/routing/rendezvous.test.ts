import { drawOf, weightedOrder } from "@manifold-gateway/providers/routing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("the draw among weighted ones", () => {
  const weights = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 5 });
  const toWeighted = (of: readonly number[]) => of.map((weight, i) => ({ name: `n${i}`, weight }));
  const CONVERSATIONS = 1_000;

  it("each wins its share of the conversations, as the weights say", () => {
    fc.assert(
      fc.property(weights, fc.string(), (of, salt) => {
        const wins = new Map<string, number>();
        for (let i = 0; i < CONVERSATIONS; i++) {
          const name = weightedOrder(toWeighted(of), `${salt}${i}`)[0]?.name ?? "";
          wins.set(name, (wins.get(name) ?? 0) + 1);
        }
        const sum = of.reduce((all, one) => all + one, 0);
        for (const { name, weight } of toWeighted(of)) {
          const share = weight / sum;
          const spread = Math.sqrt(share * (1 - share) * CONVERSATIONS);
          // Six times the spread of chance: it is not met by it in a lifetime.
          expect(Math.abs((wins.get(name) ?? 0) - share * CONVERSATIONS)).toBeLessThan(6 * spread + 1);
        }
      }),
      { numRuns: 5 },
    );
  });

  it("one that comes or goes moves no conversation between the others", () => {
    fc.assert(
      fc.property(weights, fc.string(), (of, identity) => {
        const all = toWeighted(of);
        const before = weightedOrder(all.slice(1), identity).map(({ name }) => name);
        const after = weightedOrder(all, identity).map(({ name }) => name);
        expect(after.filter((name) => name !== "n0")).toEqual(before);
      }),
    );
  });

  it("a draw grows with the weight, and is nothing without any", () => {
    expect(drawOf({ name: "a", weight: 0 }, "x")).toBe(0);
    expect(drawOf({ name: "a", weight: 2 }, "x")).toBeCloseTo(2 * drawOf({ name: "a", weight: 1 }, "x"), 9);
  });
});
