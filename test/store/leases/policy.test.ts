import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addUse,
  IDLE_MS,
  type LeaseFacts,
  noUse,
  planFree,
  QUIET_MS,
  SHARE,
  type Use,
} from "../../../packages/store/src/leases/policy.ts";

const START = 1_800_000_000_000;

/** Requests of one size, evenly over the second before START. */
function useOf(requests: number, amount: number): Use {
  let use = noUse;
  for (let i = 1; i <= requests; i++) use = addUse(use, amount, START - 1_000 + (1_000 * i) / requests);
  return use;
}

const RICH = 1_000_000_000_000;
const busy: LeaseFacts = { now: START, use: useOf(100, 1_000), headroom: RICH };

const uses = fc.record({ requests: fc.integer({ min: 1, max: 200 }), amount: fc.nat(1_000_000) });
const headrooms = fc.oneof(fc.nat(1_000), fc.nat(10_000_000), fc.nat(RICH));

describe("the demand of requests", () => {
  it("demand fades within seconds", () => {
    const { amount, requests } = addUse(useOf(100, 1_000), 0, START + 10_000);
    expect(amount).toBeLessThan(10);
    expect(requests).toBeCloseTo(1, 1);
  });

  it("demand does not grow or fade where the clock is set back", () => {
    const use = addUse(useOf(2, 500), 500, START - 86_400_000);
    expect(use.at).toBe(START);
    expect(use.requests).toBeGreaterThan(2);
    expect(use.requests).toBeLessThanOrEqual(3);
  });
});

describe("a credit lease", () => {
  it("a credit lease is sized to the demand of one second", () => {
    const free = planFree(busy);
    expect(free).toBeGreaterThan(50_000);
    expect(free).toBeLessThanOrEqual(100_000);
  });

  it("a credit lease lasts longer where its renewals are slow", () => {
    expect(planFree({ ...busy, renewalMs: 1_000 })).toBeCloseTo(4 * planFree(busy)!, -1);
    expect(planFree({ ...busy, renewalMs: 100 })).toBe(planFree(busy));
  });

  it("a credit lease is never more than its share of what is left, in whole micro-USD", () => {
    fc.assert(
      fc.property(uses, headrooms, fc.nat(20_000), ({ requests, amount }, headroom, renewalMs) => {
        const free = planFree({ now: START, use: useOf(requests, amount), headroom, renewalMs }) ?? 0;
        expect(Number.isSafeInteger(free)).toBe(true);
        expect(free).toBeLessThanOrEqual(headroom / SHARE);
      }),
    );
  });

  it("a credit lease is taken only if it admits two requests", () => {
    const near = 2 * 1_000 * SHARE;
    expect(planFree({ ...busy, headroom: near })).toBe(2_000);
    expect(planFree({ ...busy, headroom: near - 1 })).toBeUndefined();
    expect(planFree({ ...busy, use: useOf(1, 1_000) })).toBeUndefined();
  });

  it("a credit lease can be empty, for requests that hold nothing, whatever is left", () => {
    expect(planFree({ ...busy, use: useOf(10, 0), headroom: 0 })).toBe(0);
    expect(planFree({ ...busy, use: useOf(10, 0), headroom: -5_000 })).toBe(0);
    expect(planFree({ ...busy, headroom: -5_000 })).toBeUndefined();
  });

  it.each<[string, Partial<LeaseFacts>]>([
    ["has admitted nothing for a second", { now: START + IDLE_MS }],
    ["was recalled", { recalledAt: START }],
    ["was recalled a moment ago", { recalledAt: START - QUIET_MS + 1 }],
    ["is ending", { isEnding: true }],
    ["is more than what is left allows", { headroom: 50_000 }],
  ])("a credit lease is given back whole when it %s", (_, change) => {
    expect(planFree({ ...busy, free: 50_000, ...change })).toBeUndefined();
  });

  it("a credit lease is taken again after the quiet that follows a recall", () => {
    expect(planFree({ ...busy, recalledAt: START - QUIET_MS })).toBe(planFree(busy));
  });

  it("a credit lease stays as it is between half and twice of what is wanted", () => {
    const wanted = planFree(busy)!;
    for (const free of [Math.ceil(wanted / 2), wanted, wanted * 2])
      expect(planFree({ ...busy, free })).toBe(free);
    for (const free of [-1_000, 0, Math.floor(wanted / 2) - 1, wanted * 2 + 1])
      expect(planFree({ ...busy, free })).toBe(wanted);
  });

  it("a credit lease is given back in part where what is left shrank", () => {
    expect(planFree({ ...busy, free: 50_000, headroom: 590_000 })).toBe(10_000);
  });

  it("a credit lease wants no other change once a change is made", () => {
    fc.assert(
      fc.property(uses, headrooms, fc.integer({ min: -1_000, max: 10_000_000 }), (use, headroom, free) => {
        const before = { now: START, use: useOf(use.requests, use.amount), headroom, free };
        const wanted = planFree(before);
        if (wanted === undefined) return;
        const after = { ...before, free: wanted, headroom: headroom + free - wanted };
        expect(planFree(after)).toBe(wanted);
      }),
    );
  });
});

describe("credit leases of many processes", () => {
  const steps = fc.array(
    fc.record({
      process: fc.nat(199),
      after: fc.oneof(fc.nat(20), fc.nat(2_000)),
      requests: fc.integer({ min: 1, max: 50 }),
      amount: fc.integer({ min: 1, max: 5_000 }),
      recalled: fc.boolean(),
    }),
    { maxLength: 300 },
  );

  it("credit leases never exceed what is left, in any order of taking, spending and giving back", () => {
    fc.assert(
      fc.property(steps, headrooms, (history, balance) => {
        const leases = new Map<number, { use: Use; free: number | undefined }>();
        let now = START;
        let headroom = balance;
        for (const { process, after, requests, amount, recalled } of history) {
          now += after;
          const { use: before, free } = leases.get(process) ?? { use: noUse, free: undefined };
          let use = before;
          for (let i = 0; i < requests; i++) use = addUse(use, amount, now);
          const known = { now, use, free, headroom, recalledAt: recalled ? now : 0 };
          const wanted = planFree(known);
          const change = (wanted ?? 0) - (free ?? 0);
          // What is taken is a share of what is left, so there is always something left for the next.
          if (change > 0) expect(change).toBeLessThanOrEqual((headroom + (free ?? 0)) / SHARE);
          headroom -= change;
          expect(headroom).toBeGreaterThanOrEqual(0);
          // All that was set aside is spent.
          leases.set(process, { use, free: wanted && Math.max(0, wanted - requests * amount) });
        }
      }),
    );
  });

  it("credit leases leave nearly all to requests with holds of their own where little is left", () => {
    const use = useOf(50, 1_000);
    let headroom = 1_000_000;
    for (let process = 0; process < 1_000; process++)
      headroom -= planFree({ now: START, use, headroom }) ?? 0;
    expect(headroom).toBeGreaterThan(2 * 1_000 * (SHARE - 2));
    expect(headroom).toBeLessThan(2 * 1_000 * SHARE);
  });
});
