import { UpstreamFault } from "@manifold-gateway/providers";
import { ProviderBusy, pauseOf, verdictOfFault, verdictOfStatus } from "@manifold-gateway/providers/routing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("verdicts", () => {
  it("of faults before a request arrived allow another call, and those of our own doing none", () => {
    for (const kind of ["connect", "redirect", "status_line", "token"] as const)
      expect(verdictOfFault(new UpstreamFault(kind))).toEqual({
        charged: "no",
        elsewhere: true,
        failing: true,
      });
    expect(verdictOfFault(new ProviderBusy())).toEqual({ charged: "no", elsewhere: true, failing: false });
    expect(verdictOfFault(new UpstreamFault("cancelled"))).toMatchObject({
      elsewhere: false,
      failing: false,
    });
    expect(verdictOfFault(new TypeError("x"))).toEqual({
      charged: "perhaps",
      elsewhere: false,
      failing: false,
    });
  });

  it("of all other faults say that the call may have been charged", () => {
    for (const kind of ["timeout", "reset", "invalid_http", "encoding", "too_large"] as const)
      expect(verdictOfFault(new UpstreamFault(kind))).toEqual({
        charged: "perhaps",
        elsewhere: true,
        failing: true,
      });
  });

  it("of statuses blame a request for 4xx that are not about credentials, rates or models", () => {
    const elsewhere = [401, 402, 403, 404, 405, 408, 424, 429];
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), (status) => {
        expect(verdictOfStatus(status).elsewhere).toBe(status >= 500 || elsewhere.includes(status));
      }),
    );
  });
});

describe("the pause of a retry-after header", () => {
  it("is its seconds, or the time until its date, and never negative", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: -100_000, max: 100_000 }), (seconds, offset) => {
        expect(pauseOf(String(seconds), 0)).toBe(seconds);
        const now = Date.UTC(2026, 0, 1);
        expect(pauseOf(new Date(now + offset * 1000).toUTCString(), now)).toBe(Math.max(0, offset));
      }),
    );
    expect([pauseOf(undefined, 0), pauseOf("soon", 0), pauseOf(["2", "9"], 0)]).toEqual([
      undefined,
      undefined,
      2,
    ]);
  });
});
