import { kindOfStatus, truncated } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import { expect, test } from "vitest";
import { failureKinds, statusOfKind } from "../../../packages/core/src/ir/failure.ts";

test.each(failureKinds)("the status of %s reads back as the same kind", (kind) => {
  expect(kindOfStatus(statusOfKind[kind])).toBe(kind);
});

test("any status has a kind: the caller's fault below 500, ours or upstream's otherwise", () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 999 }), (status) => {
      const kind = kindOfStatus(status);
      expect(failureKinds).toContain(kind);
      const theirs = statusOfKind[kind] < 500;
      expect(theirs).toBe(status >= 400 && status < 500 && status !== 408 && status !== 424);
    }),
  );
});

test("a cut stream is a failure of upstream", () => {
  expect(kindOfStatus(truncated.status)).toBe(truncated.kind);
});
