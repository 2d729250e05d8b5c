import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reachedAt, span, tightest, windowEnd } from "../../packages/console/web/src/keys/pace.ts";
import { snippetsFor } from "../../packages/console/web/src/keys/snippets.ts";
import { CAPS } from "../../packages/console/web/src/ui/caps.ts";

const DAY = 86_400_000;
/** A Saturday, 12:00Z. */
const NOON = Date.UTC(2026, 10, 21, 12);
const moment = fc.integer({ min: NOON - 900 * DAY, max: NOON + 900 * DAY });

describe("the pace of a key", () => {
  it("a window ends at the next day, Monday or month in UTC", () => {
    expect(CAPS.map((cap) => windowEnd(cap, NOON))).toEqual([
      Date.UTC(2026, 10, 22),
      Date.UTC(2026, 10, 23),
      Date.UTC(2026, 11, 1),
      undefined,
    ]);
    fc.assert(
      fc.property(moment, (now) => {
        const [day, week, month] = CAPS.map((cap) => windowEnd(cap, now)) as [number, number, number];
        expect(day - now).toBeLessThanOrEqual(DAY);
        expect(week - now).toBeLessThanOrEqual(7 * DAY);
        expect(Math.min(day, week, month)).toBeGreaterThan(now);
        expect([new Date(week).getUTCDay(), new Date(month).getUTCDate()]).toEqual([1, 1]);
      }),
    );
  });

  it("a cap is reached when what is left is spent, unless its window ends first", () => {
    const amount = fc.double({ min: 0, max: 1_000, noNaN: true });
    fc.assert(
      fc.property(
        moment,
        fc.constantFrom(...CAPS),
        amount,
        amount,
        amount,
        (now, cap, limit, spent, perDay) => {
          const at = reachedAt(cap, { limit, spent }, { perDay, now });
          if (spent >= limit) expect(at).toBe(now);
          if (spent >= limit || at === undefined) return;
          expect(at).toBeLessThan(windowEnd(cap, now) ?? Number.POSITIVE_INFINITY);
          expect(spent + (perDay * (at - now)) / DAY).toBeCloseTo(limit, 3);
        },
      ),
    );
    expect(reachedAt("total", { limit: 10, spent: 4 }, { perDay: 2, now: NOON })).toBe(NOON + 3 * DAY);
    expect(reachedAt("daily", { limit: 10, spent: 4 }, { perDay: 2, now: NOON })).toBeUndefined();
  });

  it("spans of time have two units at most, and the tightest cap is the one most spent", () => {
    expect([0, 59_000, 3_600_000, 6 * DAY + 10 * 3_600_000 + 60_000].map(span)).toEqual([
      "0 min",
      "1 min",
      "1 h",
      "6 d 10 h",
    ]);
    const daily = { limit: 10, spent: 5 };
    expect(tightest({ daily, total: { limit: 0, spent: 0 } })?.cap).toBe("total");
    expect(tightest({ daily, monthly: { limit: 100, spent: 49 } })).toEqual({
      ...{ cap: "daily", share: 0.5, of: daily },
    });
    expect(tightest({})).toBeUndefined();
  });
});

it("every snippet has the address and the model, and the key where it is known", () => {
  const known = snippetsFor({ origin: "https://ai.example", model: "m1", key: "mfk_secret" });
  for (const { title, text } of known) {
    expect([title, text.includes("https://ai.example/api/"), text.includes("m1")]).toEqual([
      title,
      true,
      true,
    ]);
    expect(text.startsWith('export MANIFOLD_KEY="mfk_secret"\n')).toBe(true);
  }
  const titles = known.map(({ title }) => title);
  for (const name of ["curl", "OpenAI SDK, Python", "Anthropic SDK, JavaScript", "Claude Code", "Gemini CLI"])
    expect(titles).toContain(name);
  expect(new Set(titles).size).toBe(titles.length);
  expect(JSON.stringify(snippetsFor({ origin: "", model: "m1" }))).not.toContain("mfk_");
});
