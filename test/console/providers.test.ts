import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Overview, toLookAt } from "../../packages/console/web/src/home/to-look-at.ts";
import {
  answersOf,
  comparedInWords,
  rangeInWords,
  type Summary,
} from "../../packages/console/web/src/providers/words.ts";

const summary = (id: string, of: Partial<Summary> = {}): Summary => ({
  ...{ id, isConfigured: true, requests: 100, failed: 0, calls: 100, failedCalls: 0, errorShare: 0 },
  ...{ usdCost: 1, microCost: 1_000_000, points: [] },
  circuits: { closed: 1, open: 0, halfOpen: 0, paused: 0 },
  ...of,
});
const compared = (ratio: number, requests = 100): NonNullable<Summary["compared"]> => ({
  ...{ models: ["a", "b", "c", "d"], providers: ["other"], requests, ratio },
  ...{ p50FirstMs: 400 * ratio, p95FirstMs: 900 * ratio, others: { p50FirstMs: 400, p95FirstMs: 900 } },
});

describe("which provider is slow, and which fails", () => {
  it("is the one that is slowest beside others, and the one with the greatest share of errors", () => {
    const provider = fc.record({ ratio: fc.double({ min: 0.2, max: 9, noNaN: true }), failed: fc.nat(100) });
    fc.assert(
      fc.property(fc.array(provider, { maxLength: 8 }), (list) => {
        const providers = list.map(({ ratio, failed }, at) =>
          summary(`p${at}`, {
            compared: compared(ratio),
            ...{ failedCalls: failed, errorShare: failed / 100 },
          }),
        );
        const { slowest, failing } = answersOf(providers);
        const ratio = Math.max(0, ...list.map((one) => one.ratio));
        expect(slowest?.compared?.ratio).toBe(ratio >= 1.2 ? ratio : undefined);
        const failed = Math.max(0, ...list.map((one) => one.failed));
        expect(failing?.failedCalls).toBe(failed >= 5 ? failed : undefined);
      }),
    );
  });

  it("of a few requests is only a guess, which nothing stands against", () => {
    const few = summary("few", { ...{ compared: compared(9, 9), calls: 9, failedCalls: 9, errorShare: 1 } });
    expect(answersOf([few])).toEqual({ perhaps: few });
    const slow = summary("slow", { compared: compared(2) });
    expect(answersOf([few, slow])).toEqual({ slowest: slow });
    expect(answersOf([summary("alike", { compared: compared(1, 9) })])).toEqual({});
  });

  it("reads as a sentence, with the range", () => {
    expect(comparedInWords(compared(3))).toBe(
      "first token 1.2 s, 3× the others of the same models (400 ms; a, b, c and 1 more)",
    );
    expect([{}, { days: "yesterday" }, { days: "365" }, { from: "2026-11-01" }].map(rangeInWords)).toEqual([
      ...["in the last 24 hours", "yesterday", "in the last year", "in this range"],
    ]);
  });
});

describe("what needs a look", () => {
  const at = "2026-11-29T08:00:00.000Z";
  const calm: Overview = {
    ...{ at, from: at, to: at, failing: [], slowest: [], unpriced: [], orphans: [], stale: [], accounts: [] },
    ...{ processes: [], audit: { at, actor: "command:ops", differences: 0 } },
  };
  const sentences = (overview: Partial<Overview>): string[] =>
    toLookAt({ ...calm, ...overview }, { providers: [] }, []).map(({ name, text }) => name + text);

  it("is nothing while all is well", () => {
    expect(sentences({})).toEqual([]);
  });

  it("says of the books whether they were audited, when, and what was found", () => {
    const audit = (over: Partial<NonNullable<Overview["audit"]>>) => ({
      audit: { at, actor: "command:ops", differences: 0, ...over },
    });
    const { audit: _, ...never } = calm;
    expect(toLookAt(never, { providers: [] }, []).map(({ text }) => text)).toEqual([" were never audited."]);
    expect(sentences(audit({ differences: 2 }))).toEqual([
      expect.stringMatching(/^The books had 2 differences /),
    ]);
    expect(sentences(audit({ at: "2026-11-21T00:00:00.000Z" }))).toEqual([
      expect.stringMatching(/^The books were last audited /),
    ]);
  });

  it("has what is bad first, and where each leads", () => {
    const served = { requests: 10, failed: 5, calls: 10, failedCalls: 5, usdCost: 0, microCost: 0 };
    const found = toLookAt(
      {
        ...calm,
        accounts: [
          { id: "acc_1", name: "Field Lab", usdAvailable: 3, days: 1.5 },
          { id: "acc_2", name: "Empty", usdAvailable: 0, days: 0 },
        ],
        failing: [{ entry: "e1", provider: "a/b", name: "x", model: "m", errorShare: 0.5, ...served }],
      },
      {
        providers: [
          {
            id: "shut",
            entries: [
              { model: "m1", circuit: "open", openSince: at },
              { model: "m2", circuit: "closed", openAccounts: 2 },
            ],
          } as never,
        ],
      },
      [{ at, isApplied: false, findings: ["line 3: no such provider"] } as never],
    );
    expect(found.map(({ name, text, href }) => [name + text, href])).toEqual([
      [expect.stringMatching(/^shut has 1 open circuit, opened .* ago: m1\.$/), "/console/providers/shut"],
      ["a/b failed 5 of 10 calls of m (50 %).", "/console/providers/a%2Fb"],
      [
        expect.stringMatching(/^The configuration was refused .*: line 3: no such provider$/),
        "/console/config?tab=reloads",
      ],
      ["shut has 1 open circuit for some accounts: m2.", "/console/providers/shut"],
      ["Field Lab has $3.00 left, which lasts for 1 more day at its pace.", "/console/accounts/acc_1"],
      ["Empty has no credit left.", "/console/accounts/acc_2"],
    ]);
  });
});
