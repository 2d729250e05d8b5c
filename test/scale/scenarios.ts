import type { Scenario } from "./simulate.ts";

/** A durable commit on a local disk, and one that a replica in another zone has to have as well. */
const DISK_MS = 1;
const REPLICA_MS = 5;
/** What one large server is taken to do; `pgbench` says what yours does. */
const CAPACITY = 20_000;
/** More than any run can spend. */
const RICH = 1e12;

const base: Scenario = {
  ...{ seed: 1, processes: 100, accounts: 1, routing: "spread", requestsPerSecond: 10_000, balance: RICH },
  ...{ warmMs: 20_000, lastsMs: 30_000, endsChange: "account" },
  ...{ capacity: CAPACITY, statementMs: 0.5, commitMs: DISK_MS },
};

export interface Part {
  title: string;
  scenarios: readonly Scenario[];
}

const hot = (processes: number, commitMs: number): Scenario[] =>
  (["account", "lease"] as const).map((endsChange) => ({ ...base, processes, commitMs, endsChange }));

/** All requests come to 8.2 million micro-USD a second. */
const poor = { warmMs: 0, lastsMs: 25_000, balance: 80_000_000 };

export const parts: readonly Part[] = [
  {
    title: "One hot account: 10,000 requests a second over so many processes",
    scenarios: [DISK_MS, REPLICA_MS].flatMap((ms) => [3, 10, 30, 100, 1_000].flatMap((n) => hot(n, ms))),
  },
  {
    title: "Many accounts: 1,000 processes, 5,000 requests a second",
    scenarios: [1_000, 1_000_000].flatMap((accounts) =>
      (["spread", "home"] as const).map((routing) => ({
        ...{ ...base, processes: 1_000, requestsPerSecond: 5_000, commitMs: REPLICA_MS },
        ...{ accounts, routing, warmMs: 5_000, lastsMs: 15_000 },
      })),
    ),
  },
  {
    title: "Balances that run out in about ten of twenty-five seconds",
    scenarios: [
      ...[3, 30, 100, 1_000].map((processes) => ({ ...base, ...poor, processes })),
      ...[30, 1_000].map((processes) => ({ ...base, ...poor, processes, commitMs: REPLICA_MS })),
      { ...base, ...poor, accounts: 1_000, balance: 80_000 },
    ],
  },
  {
    title: "A request for 99 % of what is left, every five seconds",
    scenarios: [30, 100].map((processes) => ({
      ...{ ...base, ...poor, processes, balance: 1_000_000_000, large: { everyMs: 5_000, share: 0.99 } },
    })),
  },
  {
    title: "Thirty processes die in the second second; balances run out while their leases stand",
    scenarios: [DISK_MS, REPLICA_MS].map((commitMs) => ({
      ...{ ...base, ...poor, commitMs, lastsMs: 45_000, requestsPerSecond: 5_000 },
      deaths: { count: 30, fromMs: 2_000 },
    })),
  },
];

/** The same in small, for a test. */
export const small = (scenario: Scenario): Scenario => ({
  ...scenario,
  processes: Math.min(scenario.processes, 20),
  accounts: Math.min(scenario.accounts, 200),
  requestsPerSecond: 500,
  warmMs: Math.min(scenario.warmMs, 2_000),
  lastsMs: 6_000,
  balance: scenario.balance === RICH ? RICH : 1_200_000 / Math.min(scenario.accounts, 200),
  ...(scenario.large && { balance: 20_000_000, large: { ...scenario.large, everyMs: 2_000 } }),
  ...(scenario.deaths && { deaths: { count: 5, fromMs: 500 } }),
});
