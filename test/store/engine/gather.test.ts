import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addGroup,
  GATHER_MS,
  type Gathered,
  gatherMs,
  noPace,
  type Pace,
} from "../../../packages/store/src/engine/gather.ts";

const NOW = 1_000;

/** The pace after a second of single requests, `everyMs` apart, the last one now. */
function paceOf(everyMs: number): Pace {
  let pace = noPace;
  for (let at = everyMs; at <= NOW; at += everyMs) pace = addGroup(pace, 1, at);
  return pace;
}

const lasting: Gathered = { lasting: true, at: NOW };
const groups = fc.integer({ min: 1, max: 40 }).map((length) => Array.from({ length }, () => lasting));
/** Quarters of a millisecond, which are exact. */
const waits = fc.integer({ min: 0, max: 20 }).map((quarters) => quarters / 4);

describe("the wait of a group for further work", () => {
  it("is none at a thousand requests a second, and all of it at four thousand", () => {
    fc.assert(
      fc.property(groups, (group) => {
        expect(gatherMs(paceOf(1), group, NOW)).toBe(0);
        expect(gatherMs(paceOf(0.25), group, NOW)).toBe(GATHER_MS);
      }),
    );
  });

  it("counts the requests of a group like as many alone", () => {
    const [alone, together] = [paceOf(0.25), addGroup(noPace, 80, NOW)];
    expect(together.count).toBeCloseTo(alone.count, -1);
    expect(gatherMs(together, [lasting], NOW)).toBe(GATHER_MS);
  });

  it("is none once requests have ceased", () => {
    const later = NOW + 1_000;
    expect(gatherMs(paceOf(0.25), [{ lasting: true, at: later }], later)).toBe(0);
  });

  it("counts from the first arrival, and ends", () => {
    fc.assert(
      fc.property(groups, waits, (group, waited) => {
        const wait = gatherMs(paceOf(0.1), group, NOW + waited);
        expect(wait).toBe(waited <= GATHER_MS - 1 ? GATHER_MS - waited : 0);
      }),
    );
  });

  it("is none where work waits for its commit alone", () => {
    fc.assert(
      fc.property(groups, (group) => {
        expect(gatherMs(paceOf(0.1), [...group, { lasting: false, at: NOW }], NOW)).toBe(0);
      }),
    );
  });
});
