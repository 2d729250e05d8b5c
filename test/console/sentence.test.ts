import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differenceMarks } from "../../packages/console/web/src/request/differences.ts";
import { sentenceOf } from "../../packages/console/web/src/request/sentence.ts";

const succeeded = {
  status: "succeeded" as const,
  modality: "text" as const,
  model: "m1",
  entry: "e1",
  microHeld: 16_391,
  usdCost: 0.004464,
  durationMs: 1_300,
  usage: { promptTokens: 12, completionTokens: 34 },
};
const refused = { entry: "e1", status: 400, error: { code: "INVALID_ARGUMENT", message: "Too large." } };

describe("the sentence of a request", () => {
  it.each([
    [succeeded, "good", "e1 answered in 1.3 s, with 34 output tokens for $0.004464."],
    [
      { ...succeeded, fallback: { from: "m0", cause: "rate_limited" as const } },
      "good",
      "m1 was asked in place of m0, which was rate limited. e1 answered in 1.3 s, with 34 output tokens for $0.004464.",
    ],
    [
      { ...succeeded, usdCost: 0, cache: { of: "g0", age: 120, usdSaved: 0.0044 } },
      "good",
      "An answer of 2 min 0 s ago was given once more, free of charge, which saved $0.0044.",
    ],
    [{ ...succeeded, usdCost: 0 }, "good", "e1 answered in 1.3 s, with 34 output tokens, free of charge."],
    [
      { ...succeeded, losses: [{ path: "/top_k", why: "unsupported" as const }] },
      "good",
      "e1 answered in 1.3 s, with 34 output tokens for $0.004464. 1 part of it could not be said in the other protocol.",
    ],
    [
      { ...succeeded, attempts: [refused, { entry: "e2", status: 200 }] },
      "warn",
      "e1 answered 400 INVALID_ARGUMENT: Too large. It was sent again to e2, which answered. It took 1.3 s in all for $0.004464.",
    ],
    [
      { ...succeeded, status: "failed" as const, usdCost: 0, attempts: [refused] },
      "bad",
      "e1 answered 400 INVALID_ARGUMENT: Too large. It was not retried. Nothing was charged.",
    ],
    [
      { ...succeeded, status: "failed" as const, usdCost: 0 },
      "bad",
      "It failed before a provider answered. Nothing was charged.",
    ],
    [
      { ...succeeded, status: "failed" as const, usage: { recovered: true } },
      "bad",
      "The process that served it ended before the answer did. $0.004464 were charged for what was counted until then.",
    ],
    [
      { ...succeeded, status: "aborted" as const },
      "warn",
      "The client left before the end. $0.004464 were charged for what was generated until then.",
    ],
    [
      { ...succeeded, status: "cancelled" as const, usdCost: 0 },
      "warn",
      "It was cancelled before its end. Nothing was charged.",
    ],
    [
      { ...succeeded, status: "pending" as const },
      "plain",
      "It is still running. $0.016391 are held for it.",
    ],
  ])("of %o is %s", (one, tone, text) => {
    expect(sentenceOf(one)).toEqual({ tone, text });
  });
});

describe("the difference between two bodies", () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const places = (value: unknown, pointer = ""): string[] =>
    typeof value === "object" && value !== null
      ? [
          pointer,
          ...Object.entries(value).flatMap(([name, inner]) =>
            places(inner, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
          ),
        ]
      : [pointer];
  /** A value without what is marked in it. */
  const without = (value: unknown, marked: ReadonlyMap<string, unknown>, pointer = ""): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const kept = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
      const place = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      return marked.has(place) ? [] : [[name, without(inner, marked, place)]];
    });
    return Array.isArray(value) ? kept.map(([, inner]) => inner) : Object.fromEntries(kept);
  };

  it("what is not marked is the same on both sides, and equal bodies have no mark", () => {
    fc.assert(
      fc.property(json, json, (left, right) => {
        const marks = differenceMarks(left, right);
        for (const [side, value] of [["first", left] as const, ["second", right] as const])
          for (const place of marks[side].keys()) expect(places(value)).toContain(place);
        if (!marks.first.has("")) expect(without(left, marks.first)).toEqual(without(right, marks.second));
        const same = differenceMarks(left, structuredClone(left));
        expect([same.first.size, same.second.size]).toEqual([0, 0]);
      }),
    );
  });

  it("an element that is added in front moves the others, and is the only difference", () => {
    const user = { role: "user", content: "Hello" };
    const system = { role: "system", content: "Be brief." };
    const { first, second } = differenceMarks({ messages: [user] }, { messages: [system, user] });
    expect([[...first.keys()], [...second.keys()]]).toEqual([[], ["/messages/0"]]);
  });
});
