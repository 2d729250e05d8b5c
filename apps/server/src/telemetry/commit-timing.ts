import type { Store } from "@manifold-gateway/store";
import type { Histogram } from "prom-client";

/** The writes that a generation waits for. */
const COMMITS = ["reserve", "settle", "release"] as const;

/** Wraps these writes to measure their durations. */
export function timeCommits(
  money: Store["money"],
  now: () => number,
  commits: Histogram<"operation">,
): Partial<Store["money"]> {
  return Object.fromEntries(
    COMMITS.map((operation) => [
      operation,
      async (argument: never) => {
        const began = now();
        try {
          return await money[operation](argument);
        } finally {
          commits.observe({ operation }, (now() - began) / 1000);
        }
      },
    ]),
  );
}
