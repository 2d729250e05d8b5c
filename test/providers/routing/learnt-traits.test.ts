import type { Lesson } from "@manifold-gateway/gateway";
import { createLearntTraits } from "@manifold-gateway/providers/routing";
import { describe, expect, it } from "vitest";

const DAY = 86_400_000;
const entry = (name: string) => ({ provider: "p", name });
const refusal = (n: number) => ({ traits: { maxOutput: n }, because: `at most ${n}` });

describe("learnt traits", () => {
  it("are those of a provider's model on a protocol, the last of which counts", () => {
    const learnt = createLearntTraits(() => 0);
    learnt.add(entry("a"), "chatstyle", { traits: { refuses: ["stop"], maxOutput: 9 }, because: "one" });
    learnt.add(entry("a"), "chatstyle", { traits: { maxOutput: 5 }, because: "two" });
    expect(learnt.of(entry("a"), "chatstyle")?.traits).toEqual({ refuses: ["stop"], maxOutput: 5 });
    expect(learnt.of(entry("a"), "responses")).toBeUndefined();
    expect(learnt.of(entry("b"), "chatstyle")).toBeUndefined();
    expect(learnt.of({ provider: "q", name: "a" }, "chatstyle")).toBeUndefined();
  });

  it("are the same object until something changes, so that what is computed from them is kept", () => {
    const learnt = createLearntTraits(() => 0);
    learnt.add(entry("a"), "chatstyle", refusal(1));
    const before = learnt.of(entry("a"), "chatstyle");
    expect(learnt.of(entry("a"), "chatstyle")).toBe(before);
    learnt.add(entry("a"), "chatstyle", refusal(2));
    expect(learnt.of(entry("a"), "chatstyle")).not.toBe(before);
  });

  it("are forgotten one by one, each a day after it was learnt", () => {
    let at = 0;
    const learnt = createLearntTraits(() => at);
    learnt.add(entry("a"), "chatstyle", refusal(1));
    at = DAY / 2;
    learnt.add(entry("a"), "chatstyle", { traits: { refuses: ["stop"] }, because: "stop" });
    at = DAY;
    expect(learnt.of(entry("a"), "chatstyle")?.traits).toEqual({ refuses: ["stop"] });
    expect(learnt.all()).toHaveLength(1);
    at = DAY * 1.5;
    expect(learnt.of(entry("a"), "chatstyle")).toBeUndefined();
    expect(learnt.all()).toEqual([]);
  });

  it("are taken back alone", () => {
    const learnt = createLearntTraits(() => 0);
    const lesson = learnt.add(entry("a"), "chatstyle", refusal(1)) as Lesson;
    learnt.add(entry("a"), "chatstyle", { traits: { refuses: ["stop"] }, because: "stop" });
    learnt.retract(lesson);
    learnt.retract(lesson);
    expect(learnt.of(entry("a"), "chatstyle")?.traits).toEqual({ refuses: ["stop"] });
    expect(learnt.add(entry("a"), "chatstyle", refusal(1))).toBeDefined();
  });

  it("are not learnt again from words that did not help, until a day has passed", () => {
    let at = 0;
    const learnt = createLearntTraits(() => at);
    learnt.reject(learnt.add(entry("a"), "chatstyle", refusal(1)) as Lesson);
    expect(learnt.all()).toEqual([]);
    expect(learnt.add(entry("a"), "chatstyle", refusal(1))).toBeUndefined();
    expect(learnt.add(entry("a"), "chatstyle", refusal(2))).toBeDefined();
    expect(learnt.add(entry("b"), "chatstyle", refusal(1))).toBeDefined();
    at = DAY;
    expect(learnt.add(entry("a"), "chatstyle", refusal(1))).toBeDefined();
  });

  it("stay if they have helped once", () => {
    const learnt = createLearntTraits(() => 0);
    const lesson = learnt.add(entry("a"), "chatstyle", refusal(1)) as Lesson;
    learnt.prove(lesson);
    learnt.reject(lesson);
    expect(learnt.all()).toEqual([lesson]);
  });

  it("are limited in number, of one model and in all", () => {
    const learnt = createLearntTraits(() => 0);
    for (let n = 0; n < 2_000; n++) learnt.add(entry("a"), "chatstyle", refusal(n));
    expect(learnt.of(entry("a"), "chatstyle")?.lessons).toHaveLength(8);
    for (let n = 0; n < 2_000; n++) learnt.add(entry(`m${n}`), "chatstyle", refusal(n));
    expect(learnt.all().length).toBeLessThanOrEqual(500);
    expect(learnt.of(entry("m1999"), "chatstyle")?.traits).toEqual({ maxOutput: 1999 });
  });
});
