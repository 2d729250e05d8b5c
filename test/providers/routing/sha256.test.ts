import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { sha256 } from "../../../packages/providers/src/routing/sha256.ts";

it("sha256 gives the words that the runtime's own implementation gives, for texts of any length", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      const bytes = createHash("sha256").update(text).digest();
      const words = Array.from({ length: 8 }, (_, i) => bytes.readInt32BE(4 * i));
      expect([...sha256(text)]).toEqual(words);
    }),
  );
});
