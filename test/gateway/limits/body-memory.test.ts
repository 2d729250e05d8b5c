import fc from "fast-check";
import { expect, it } from "vitest";
import { createBodyMemory } from "../../../packages/gateway/src/limits/body-memory.ts";

const caller = (keyId: string) => ({ accountId: "acc", keyId });

it("the memory of a body is free after its request, whatever was reserved and arrived, also after its end", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 8 });
  fc.assert(
    fc.property(sizes, fc.nat(60), sizes, (before, length, after) => {
      const bodyMemory = createBodyMemory({ most: 100, perKey: 60 });
      const bodyUse = bodyMemory.open(caller("a"));
      const add = (size: number): void => {
        const counted = bodyMemory.heldFor(caller("a"));
        try {
          bodyUse.add(size);
        } catch {
          expect(bodyMemory.heldFor(caller("a"))).toBe(counted);
        }
      };
      bodyUse.reserve(length);
      for (const size of before) add(size);
      expect(bodyMemory.heldFor(caller("a"))).toBeLessThanOrEqual(60);
      bodyUse.end();
      for (const size of after) add(size);
      expect(bodyMemory.heldFor(caller("a"))).toBe(0);
      bodyMemory.open(caller("a")).reserve(60);
      expect(() => bodyMemory.open(undefined).reserve(40)).not.toThrow();
    }),
  );
});

it("the memory of bodies is refused by the key's limit and by the whole one, each with its code", () => {
  const bodyMemory = createBodyMemory({ most: 100, perKey: 60 });
  const first = bodyMemory.open(caller("a"));
  first.reserve(50);
  expect(() => bodyMemory.open(caller("a")).reserve(11)).toThrow(
    expect.objectContaining({ code: "too_many_bytes" }),
  );
  bodyMemory.open(undefined).reserve(45);
  expect(() => bodyMemory.open(caller("b")).reserve(6)).toThrow(
    expect.objectContaining({ code: "server_busy" }),
  );
  first.end();
  expect(() => bodyMemory.open(caller("b")).reserve(6)).not.toThrow();
});
