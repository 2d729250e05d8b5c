import { isKey, lookupHash, mintKey, openKey, prefixOf, type Sealed, sealKey } from "@manifold-gateway/store";
import fc from "fast-check";
import { expect, it } from "vitest";

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
const key = bytes.map((random) => mintKey(() => random));

it("minted keys have one form, and are as different as their bytes", () => {
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const minted = mintKey(() => one);
      expect(minted).toMatch(/^mfk_[0-9A-Za-z]{49}$/);
      expect(isKey(minted)).toBe(true);
      expect(minted === mintKey(() => other)).toBe(Buffer.compare(one, other) === 0);
      expect(minted.startsWith(prefixOf(minted))).toBe(true);
    }),
  );
  expect(mintKey()).not.toBe(mintKey());
  expect(mintKey(() => new Uint8Array(32).fill(255))).toHaveLength(53);
});

it("a key is told from one with any character changed, added or gone", () => {
  fc.assert(
    fc.property(
      key,
      fc.nat(52),
      fc.string({ minLength: 1, maxLength: 1, unit: "grapheme" }),
      (text, at, other) => {
        fc.pre(text[at] !== other);
        expect(isKey(text.slice(0, at) + other + text.slice(at + 1))).toBe(false);
        expect(isKey(text.slice(0, at) + text.slice(at + 1))).toBe(false);
        expect(isKey(text + other)).toBe(false);
      },
    ),
  );
});

it("a key hashes to what a lookup needs", () => {
  expect(lookupHash("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

it("a sealed key opens with the same secret for the same key id, and no other", () => {
  fc.assert(
    fc.property(key, fc.string(), bytes, bytes, fc.nat(), (text, id, secret, other, at) => {
      const sealed = sealKey(text, id, secret, 3);
      expect(sealed.version).toBe(3);
      expect(openKey(sealed, id, secret)).toBe(text);
      expect(sealKey(text, id, secret, 3).nonce).not.toBe(sealed.nonce);
      expect(() => openKey(sealed, `${id}.`, secret)).toThrow();
      if (Buffer.compare(secret, other) !== 0) expect(() => openKey(sealed, id, other)).toThrow();
      const altered = Buffer.from(sealed.ciphertext, "base64url");
      altered[at % altered.length]! ^= 1 << (at % 8);
      const broken: Sealed = { ...sealed, ciphertext: altered.toString("base64url") };
      expect(() => openKey(broken, id, secret)).toThrow();
      expect(JSON.stringify(sealed)).not.toContain(text.slice(4, 20));
    }),
  );
});

it("a shortened key shows a fifth of the key at most", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 512 }), (text) => {
      expect(prefixOf(text).length).toBeLessThanOrEqual(text.length / 5);
      expect(prefixOf(text).length).toBeLessThanOrEqual(10);
    }),
  );
});
