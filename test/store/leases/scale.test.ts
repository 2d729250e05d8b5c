import { describe, expect, it } from "vitest";
import { RECALL_WAIT_MS } from "../../../packages/store/src/leases/policy.ts";
import { afterRefusal } from "../../scale/rules.ts";
import { parts, small } from "../../scale/scenarios.ts";
import { type Scenario, simulate } from "../../scale/simulate.ts";

const scenarios = parts.flatMap(({ title, scenarios }) =>
  scenarios.flatMap((scenario) =>
    (["account", "lease"] as const).map((endsChange): [string, Scenario] => {
      const { processes, accounts, routing, commitMs } = scenario;
      const name = `${title}: ${processes} processes, ${accounts} accounts, ${routing}, ${commitMs} ms, ends change ${endsChange}`;
      return [name, { ...small(scenario), endsChange }];
    }),
  ),
);

describe("credit leases of many processes, simulated", () => {
  it.each([...new Map(scenarios)])(
    "credit leases overspend nothing and refuse nothing wrongly: %s",
    (_, scenario) => {
      const result = simulate(scenario);
      const { over, inexact, heldAtEnd, unexplained, refused, refusedWrongly, left, idle, ended } = result;
      expect(ended).toBeGreaterThan(100);
      // Nothing is spent over the limit, nothing is lost, and what a lease's row says is what its process has.
      expect({ over, inexact, heldAtEnd, unexplained }).toEqual({
        over: 0,
        inexact: 0,
        heldAtEnd: 0,
        unexplained: 0,
      });
      expect(left).toBeGreaterThanOrEqual(0);
      // Nobody is refused for credit that lies idle with a process that lives.
      expect(refusedWrongly).toBe(0);
      const isPoor = scenario.balance < 1e9;
      expect(refused > 0).toBe(isPoor);
      if (!isPoor) expect(idle.most).toBeLessThan(4 * result.spentPerSecond);
    },
  );

  it("a simulation is the same for the same seed, and another for another", () => {
    const [[, scenario]] = scenarios as [[string, Scenario]];
    const result = (seed: number) =>
      JSON.stringify({ ...simulate({ ...scenario, seed }), scenario: undefined });
    expect(result(1)).toBe(result(1));
    expect(result(2)).not.toBe(result(1));
  });
});

describe("a refused hold", () => {
  it.each([
    ["waits for credit that others can give back", 1_000, 200, 900, 0, "recall"],
    ["waits no longer than it may", 1_000, 200, 900, RECALL_WAIT_MS, "refuse"],
    ["does not wait where all of it would not be enough", 1_000, 200, 799, 0, "refuse"],
    ["does not wait where nobody else holds anything", 1_000, 999, 0, 0, "refuse"],
  ] as const)("a refused hold %s", (_, need, headroom, leased, waitedMs, answer) => {
    expect(afterRefusal({ need, headroom, leased, waitedMs })).toBe(answer);
  });
});
