import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  enterUse,
  leaveUse,
  nothingUsed,
  type RecentUse,
  recentAt,
  reserveUse,
} from "../../../packages/store/src/keys/recent-use.ts";

const START = 1_000_000_007;
/** Steps of a clock, from none to more than a minute. */
const pauses = fc.array(fc.oneof(fc.nat(400), fc.nat(20_000), fc.nat(70_000)), {
  minLength: 1,
  maxLength: 150,
});

/** Requests that come after such pauses, and whether each is let in. */
function arrivals(steps: readonly number[], limit: number) {
  let use: RecentUse = nothingUsed;
  let at = START;
  return steps.map((step, index) => {
    at += step;
    const before = recentAt(use, at);
    const result = enterUse(before, { requestsPerMinute: limit }, { id: `r${index}`, owner: "me", at });
    use = result.use;
    return { at, before, entered: result.entered };
  });
}

describe("requests a minute", () => {
  it("requests a minute never pass the limit in sixty seconds, wherever they begin", () => {
    fc.assert(
      fc.property(pauses, fc.integer({ min: 1, max: 12 }), (steps, limit) => {
        const admitted = arrivals(steps, limit).filter(({ entered }) => entered.ok);
        for (const { at } of admitted) {
          const within = admitted.filter((other) => other.at > at - 60_000 && other.at <= at);
          expect(within.length).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  it("requests are let in wherever sixty-five seconds hold fewer than the limit", () => {
    fc.assert(
      fc.property(pauses, fc.integer({ min: 1, max: 12 }), (steps, limit) => {
        const all = arrivals(steps, limit);
        for (const { at, entered } of all.filter((one) => !one.entered.ok)) {
          const earlier = all.filter((one) => one.entered.ok && one.at > at - 65_000 && one.at <= at);
          expect(earlier.length).toBeGreaterThanOrEqual(limit);
          expect(entered.remaining.requests?.remaining).toBe(0);
        }
      }),
    );
  });

  it("requests are let in once the announced wait is over, and not a millisecond before", () => {
    fc.assert(
      fc.property(pauses, fc.integer({ min: 1, max: 12 }), (steps, limit) => {
        for (const { at, before, entered } of arrivals(steps, limit)) {
          if (entered.ok) continue;
          const again = (later: number) =>
            enterUse(
              recentAt(before, later),
              { requestsPerMinute: limit },
              { id: "x", owner: "me", at: later },
            ).entered.ok;
          expect([again(at + entered.wait - 1), again(at + entered.wait)]).toEqual([false, true]);
        }
      }),
    );
  });

  it("all requests are available again after the announced reset", () => {
    fc.assert(
      fc.property(pauses, fc.integer({ min: 1, max: 12 }), (steps, limit) => {
        const { at, before, entered } = arrivals(steps, limit).at(-1)!;
        const later = at + entered.remaining.requests!.reset;
        const rates = { requestsPerMinute: limit };
        const next = enterUse(recentAt(before, later), rates, { id: "x", owner: "me", at: later });
        expect(next.entered.remaining.requests?.remaining).toBe(limit - 1);
      }),
    );
  });
});

const moves = fc.array(
  fc.record({
    kind: fc.constantFrom("enter", "reserve", "leave"),
    id: fc.nat(5).map((n) => `r${n}`),
    tokens: fc.nat(60),
    step: fc.nat(9_000),
  }),
  { maxLength: 120 },
);

describe("requests at one time and tokens a minute", () => {
  it("the limits hold for every order of beginnings, reservations and ends", () => {
    fc.assert(
      fc.property(
        moves,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 90 }),
        (list, atOnce, tokens) => {
          const rates = { concurrentRequests: atOnce, tokensPerMinute: tokens };
          let use: RecentUse = nothingUsed;
          let at = START;
          const spent: { at: number; tokens: number }[] = [];
          for (const move of list) {
            at += move.step;
            use = recentAt(use, at);
            const ask = { id: move.id, owner: "me", at, tokens: move.tokens };
            if (move.kind === "leave") {
              if (use.running[move.id]) spent.push({ at, tokens: move.tokens });
              use = leaveUse(use, ask);
            } else if (move.kind === "enter") use = enterUse(use, rates, ask).use;
            else if (use.running[move.id]) {
              const others = Object.entries(use.running).filter(([id]) => id !== move.id);
              const taken = others.reduce((sum, [, [, n]]) => sum + n, 0);
              const recent = spent
                .filter((one) => one.at > at - 60_000)
                .reduce((sum, one) => sum + one.tokens, 0);
              const result = reserveUse(use, rates, ask);
              use = result.use;
              // Something was left of the limit, so it is passed by the last request alone.
              if (result.entered.ok) expect(taken + recent).toBeLessThan(tokens);
            }
            expect(Object.keys(use.running).length).toBeLessThanOrEqual(atOnce);
          }
        },
      ),
    );
  });

  it("an end is counted once", () => {
    const rates = { tokensPerMinute: 100 };
    const ask = { id: "a", owner: "me", at: START, tokens: 40 };
    const { use } = enterUse(nothingUsed, rates, ask);
    const ended = leaveUse(use, ask);
    expect(leaveUse(ended, ask)).toBe(ended);
    expect(enterUse(ended, rates, { ...ask, id: "b" }).entered.remaining.tokens).toMatchObject({
      remaining: 60,
    });
  });
});
