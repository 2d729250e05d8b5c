import { expect, it } from "vitest";
import { FailureParts } from "../../../packages/store/src/usage/failure-parts.ts";
import type { Entry } from "../../../packages/store/src/usage/sums.ts";
import { NOW } from "../fixtures.ts";

const ENTRY: Entry = {
  ...{ account: "a", key: null, model: "m", modality: "text", status: "failed", surface: null, entry: "e" },
  ...{ at: NOW, duration: 1, cost: 0, counts: {}, tags: null },
};

it("failed calls of one provider leave room for those of another, also when they are put back", () => {
  let made = 0;
  const parts = new FailureParts(16, () => `${made++}`);
  const fail = (provider: string, count: number) => {
    const attempts = [{ entry: `e ${provider}`, provider, status: 503 }];
    for (let at = 0; at < count; at++) parts.add(`g-${provider}-${at}`, ENTRY, { attempts });
  };
  const kept = (failures: readonly { provider: string }[]) =>
    Object.fromEntries(
      [...Map.groupBy(failures, ({ provider }) => provider)].map(([name, some]) => [name, some.length]),
    );
  fail("rare", 1);
  fail("broken", 300);
  const taken = parts.takeRest();
  expect(kept(taken.failures)).toEqual({ rare: 1, broken: 200 });
  fail("broken", 50);
  parts.putBackRest(taken);
  const again = parts.takeRest();
  expect(kept(again.failures)).toEqual({ rare: 1, broken: 200 });
  expect(again.failures.findLast(({ provider }) => provider === "broken")?.generation).toBe("g-broken-49");
});
