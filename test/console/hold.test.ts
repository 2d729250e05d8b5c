import fc from "fast-check";
import { expect, it } from "vitest";
import { exactUsd } from "../../packages/console/web/src/format.ts";
import { heldOf } from "../../packages/console/web/src/request/hold.ts";

const amount = fc.integer({ min: 1, max: 10 ** 12 });
const charge = (cost: number, before: number) => ({
  ...{ id: "charge:g", kind: "charge", generationId: "g" },
  ...{ amount: -cost / 1e6, balance: (before - cost) / 1e6 },
});

it("what a request held is what it cost and what was given back, to the micro-USD", () => {
  fc.assert(
    fc.property(amount, amount, amount, (held, cost, before) => {
      const one = heldOf({ microHeld: held, microCost: cost }, [charge(cost, before)]);
      expect(one).toEqual({
        ...{ held, charged: cost, rest: held - cost },
        balance: { before, after: before - cost },
      });
      const [shown] = exactUsd(cost).match(/[\d,.]+/) ?? [];
      expect(Math.round(Number(shown?.replaceAll(",", "")) * 1e6)).toBe(cost);
    }),
  );
});

it("requests that were charged together have one balance before and after all of them", () => {
  const { generationId: _, ...movement } = { ...charge(70, 1_000), id: "batch:1" };
  const one = heldOf({ microHeld: 100, microCost: 20 }, [movement]);
  expect(one).toMatchObject({ rest: 80, together: 70, balance: { before: 1_000, after: 930 } });
  // The others cost nothing, so that the movement is of this one.
  expect(heldOf({ microHeld: 100, microCost: 70 }, [movement])).not.toHaveProperty("together");
});

it("a request that runs has only its hold", () => {
  expect(heldOf({ microHeld: 5 })).toEqual({ held: 5 });
});
