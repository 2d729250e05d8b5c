import fc from "fast-check";
import { expect, it } from "vitest";
import { fromBase64, toBase64 } from "../../packages/client/src/base64.ts";

it("bytes in base64 are what Node makes of them, and are read in either alphabet", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
      for (const alphabet of ["base64", "base64url"] as const)
        expect(fromBase64(Buffer.from(bytes).toString(alphabet))).toEqual(bytes);
    }),
  );
});
