import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reasonOf, type Try } from "../../packages/console/web/src/request/why.ts";

const failed = { entry: "e1", status: 400, error: { code: "INVALID_ARGUMENT", message: "Too large." } };
const good = { entry: "e2", status: 200 };

describe("the first sentence of a request's page", () => {
  it("is absent where every attempt succeeded, and names the entry of an attempt that failed otherwise", () => {
    const attempt: fc.Arbitrary<Try> = fc.record(
      {
        entry: fc.constantFrom("e1", "e2"),
        status: fc.constantFrom(200, 400, 429, 503),
        fault: fc.constantFrom("connect", "timeout"),
        error: fc.record({ code: fc.constant("c"), message: fc.constant("No.") }, { requiredKeys: [] }),
      },
      { requiredKeys: ["entry"] },
    );
    fc.assert(
      fc.property(fc.array(attempt), fc.constantFrom("succeeded", "failed"), (attempts, status) => {
        const reason = reasonOf(attempts, status);
        const bad = attempts.findLast(
          (one) => one.fault || one.error || one.status === undefined || one.status >= 400,
        );
        if (!bad) expect(reason).toBeUndefined();
        else expect(reason?.startsWith(bad.entry)).toBe(true);
        expect(reason ?? "").not.toMatch(/undefined|NaN/);
      }),
    );
  });

  it("has the provider's status, code and words, and what followed", () => {
    expect(reasonOf([failed], "failed")).toBe(
      "e1 answered 400 INVALID_ARGUMENT: Too large. It was not retried.",
    );
    expect(reasonOf([failed, good], "succeeded")).toBe(
      "e1 answered 400 INVALID_ARGUMENT: Too large. It was sent again to e2, which answered.",
    );
    expect(reasonOf([good, { ...failed, provider: "acme" }], "failed")).toBe(
      "acme answered 400 INVALID_ARGUMENT: Too large. It was the last of 2 attempts.",
    );
    expect(reasonOf([{ entry: "e1", fault: "timeout" }], "failed")).toBe(
      "e1 gave no answer: timed out. It was not retried.",
    );
  });
});
