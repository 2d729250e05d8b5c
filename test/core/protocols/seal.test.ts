import { SEAL_MARK } from "@manifold-gateway/core/codec";
import { type Protocol, protocolNames } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  holdsSeal,
  sealedId,
  sealFor,
  sealFrom,
  unsealedId,
} from "../../../packages/core/src/protocols/seal.ts";

const protocol = fc.constantFrom(...protocolNames);
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

test("a seal is found in a text wherever the mark stands", () => {
  const piece = fc.constantFrom(
    SEAL_MARK,
    SEAL_MARK.slice(0, -1),
    SEAL_MARK.slice(1),
    "1",
    "1".repeat(40),
    "é",
    "a",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const searched = pieces.join("");
      expect(holdsSeal(searched)).toBe(searched.includes(SEAL_MARK));
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

const foreign = fc.record({ wire: protocol, seal }).filter(({ wire, seal }) => wire !== seal.protocol);

test("a wrapped seal has only characters of ids and of base64url where the field is text", () => {
  fc.assert(
    fc.property(foreign, ({ wire, seal }) => {
      fc.pre(wire !== "genstyle");
      expect(sealFor(wire, seal)).toMatch(/^[A-Za-z0-9_-]+$/);
    }),
  );
});

test.each(Array.from({ length: 33 }, (_, length) => length))(
  "a wrapped seal of %i characters is standard base64 in a field of bytes, and read as clients rewrite it",
  (length) => {
    const values = [fc.string({ unit: "binary-ascii", minLength: length, maxLength: length }), text];
    fc.assert(
      fc.property(fc.oneof(...values), (value) => {
        const sealed = { protocol: "msgstyle" as const, value };
        const written = sealFor("genstyle", sealed);
        const bytes = Buffer.from(written, "base64");
        expect(bytes.toString("base64")).toBe(written);
        const urlSafe = written.replaceAll("+", "-").replaceAll("/", "_");
        for (const again of [written, urlSafe, bytes.toString("base64url")])
          expect(sealFrom("genstyle", again)).toEqual(sealed);
      }),
      { numRuns: 30 },
    );
  },
);

test("seals that were wrapped in a field of bytes by earlier versions are still read", () => {
  expect(sealFrom("genstyle", `${SEAL_MARK}mbc2ln`)).toEqual({ protocol: "msgstyle", value: "sig" });
  expect(sealFrom("genstyle", `${SEAL_MARK}mBc2ln`)).toMatchObject({ protocol: "genstyle" });
});

test("a seal of a protocol that a codec does not know keeps its letter until the codec of that letter reads it", () => {
  const foreign = { protocol: "z" as Protocol, value: "sig" };
  fc.assert(
    fc.property(protocol, (wire) => {
      const carried = sealFor(wire, foreign);
      expect(carried.startsWith(`${SEAL_MARK}z`)).toBe(true);
      expect(sealFrom(wire, carried)).toEqual(foreign);
      expect(unsealedId(sealedId(wire, "call_1", foreign))).toEqual({ id: "call_1", seal: foreign });
      expect(sealFor(foreign.protocol, sealFrom(wire, carried))).toBe("sig");
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
