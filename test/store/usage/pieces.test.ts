import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sqliteDialect } from "../../../packages/store/src/engine/sqlite-dialect.ts";
import { pieces } from "../../../packages/store/src/usage/pieces.ts";

const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;

interface Work {
  to: number;
  /** What each piece takes, and what all of the range takes beside it, in ms. */
  fixed: number;
  dense: number;
  /** How much longer everything takes in the middle of the range, as other work runs. */
  load: number;
}

/** The durations of the pieces of a range, and what each would have taken without other work. */
async function cut({ fixed, dense, load, to }: Work) {
  let clock = 0;
  vi.spyOn(performance, "now").mockImplementation(() => clock);
  const durations: number[] = [];
  let next = to;
  for await (const piece of pieces({ dialect: sqliteDialect }, [""], { from: 0, to }, MINUTE)) {
    expect(piece.to).toBe(next);
    next = piece.from;
    const alone = fixed + (dense * (piece.to - piece.from)) / to;
    durations.push(alone);
    clock += alone * (piece.to < to * 0.6 && piece.to > to * 0.4 ? load : 1);
  }
  expect(next).toBe(0);
  return durations;
}

describe("pieces of a range", () => {
  afterEach(() => void vi.restoreAllMocks());

  it("cover it, and are few and short, however long each takes and whatever else runs", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          fixed: fc.integer({ min: 0, max: 1_000 }),
          dense: fc.integer({ min: 0, max: 20_000 }),
          load: fc.integer({ min: 1, max: 8 }),
          to: fc.integer({ min: 1, max: YEAR }),
        }),
        async (work) => {
          const durations = await cut(work);
          // The target, or a few times what a piece takes whatever its range.
          const most = 5 * Math.max(sqliteDialect.reportMs, 2 * work.fixed + (work.dense * MINUTE) / work.to);
          for (const took of durations) expect(took).toBeLessThanOrEqual(most);
          // The pieces grow twice, each twice as long, and shrink under load.
          const least = Math.max(sqliteDialect.reportMs / work.load, work.fixed) / 4;
          expect(durations.length).toBeLessThan(100 + work.dense / least);
        },
      ),
      { numRuns: 60 },
    );
  });
});
