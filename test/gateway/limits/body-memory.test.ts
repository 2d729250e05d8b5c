import fc from "fast-check";
import { expect, it } from "vitest";
import { createFlights } from "../../../packages/gateway/src/limits/body-memory.ts";

const caller = (keyId: string) => ({ accountId: "acc", keyId });

it("the memory of a body is free after its request, whatever was reserved and arrived, also after its end", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 8 });
  fc.assert(
    fc.property(sizes, fc.nat(60), sizes, (before, length, after) => {
      const flights = createFlights({ most: 100, perKey: 60 });
      const flight = flights.open(caller("a"));
      const add = (size: number): void => {
        const counted = flights.heldFor(caller("a"));
        try {
          flight.add(size);
        } catch {
          expect(flights.heldFor(caller("a"))).toBe(counted);
        }
      };
      flight.reserve(length);
      for (const size of before) add(size);
      expect(flights.heldFor(caller("a"))).toBeLessThanOrEqual(60);
      flight.end();
      for (const size of after) add(size);
      expect(flights.heldFor(caller("a"))).toBe(0);
      flights.open(caller("a")).reserve(60);
      expect(() => flights.open(undefined).reserve(40)).not.toThrow();
    }),
  );
});

it("the memory of bodies is refused by the key's limit and by the whole one, each with its code", () => {
  const flights = createFlights({ most: 100, perKey: 60 });
  const first = flights.open(caller("a"));
  first.reserve(50);
  expect(() => flights.open(caller("a")).reserve(11)).toThrow(
    expect.objectContaining({ code: "too_many_bytes" }),
  );
  flights.open(undefined).reserve(45);
  expect(() => flights.open(caller("b")).reserve(6)).toThrow(
    expect.objectContaining({ code: "server_busy" }),
  );
  first.end();
  expect(() => flights.open(caller("b")).reserve(6)).not.toThrow();
});
