import { protocols, SEAL_MARK, sealedId, sealFor, sealFrom, unsealedId } from "@manifold/core";
import fc from "fast-check";
import { expect, test } from "vitest";

const protocol = fc.constantFrom(...protocols);
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.base64String(),
);
const value = text.filter((sample) => !sample.startsWith(SEAL_MARK));
const seal = fc.record({ protocol, value });

test("a seal comes back from any wire as it was", () => {
  fc.assert(
    fc.property(protocol, seal, (wire, sealed) => {
      expect(sealFrom(wire, sealFor(wire, sealed))).toEqual(sealed);
    }),
    { numRuns: 1000 },
  );
});

test("a wire's own seal is written to the letter", () => {
  fc.assert(
    fc.property(seal, (own) => {
      expect(sealFor(own.protocol, own)).toBe(own.value);
    }),
  );
});

test("a wrapped seal has only characters of ids and of base64url", () => {
  fc.assert(
    fc.property(protocol, seal, (wire, sealed) => {
      fc.pre(wire !== sealed.protocol);
      expect(sealFor(wire, sealed)).toMatch(/^[A-Za-z0-9_-]+$/);
    }),
  );
});

test("call ids carry foreign seals, and ids without one are left alone", () => {
  fc.assert(
    fc.property(protocol, fc.string(), seal, (wire, id, sealed) => {
      fc.pre(!id.includes(SEAL_MARK));
      const carried = wire === sealed.protocol ? { id } : { id, seal: sealed };
      expect(unsealedId(sealedId(wire, id, sealed))).toEqual(carried);
      expect(unsealedId(sealedId(wire, id, undefined))).toEqual({ id });
    }),
  );
});

test.each(["call_1", `call-${SEAL_MARK}`, `call-${SEAL_MARK}x!!`, `call-${SEAL_MARK}mb***`, SEAL_MARK, ""])(
  "%j is an id, not a seal",
  (id) => {
    expect(unsealedId(id)).toEqual({ id });
  },
);
