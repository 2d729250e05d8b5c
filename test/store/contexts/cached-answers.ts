import { expect, it } from "vitest";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

export const cachedAnswers: Context = (database) => {
  const store = useStore(database);
  const answer = (hash: string, more = {}) => ({
    ...{ account: "a", hash, at: 1_000, until: 9_000, value: `"${hash}"` },
    ...more,
  });

  it("the last answer that was kept for a request is found, by its account alone", async () => {
    const { cachedAnswers } = store();
    await cachedAnswers.put(answer("h"));
    await cachedAnswers.put(answer("h", { at: 2_000, value: '"later"' }));
    expect(await cachedAnswers.get({ account: "a", hash: "h" })).toEqual(
      answer("h", { at: 2_000, value: '"later"' }),
    );
    expect(await cachedAnswers.get({ account: "b", hash: "h" })).toBeUndefined();
  });

  it("answers that have ended, and the oldest that exceed the size, are deleted", async () => {
    const { cachedAnswers } = store();
    const isThere = async (hash: string) => (await cachedAnswers.get({ account: "a", hash })) !== undefined;
    await cachedAnswers.put(answer("ended", { until: 5_000 }));
    for (let at = 0; at < 5; at++)
      await cachedAnswers.put(answer(`n${at}`, { at: 3_000 + at, value: "x".repeat(100) }));
    await cachedAnswers.expire(5_000, 300);
    expect(await Promise.all(["ended", "n0", "n1", "n2", "n3", "n4"].map(isThere))).toEqual([
      ...[false, false, false],
      ...[true, true, true],
    ]);
  });
};
