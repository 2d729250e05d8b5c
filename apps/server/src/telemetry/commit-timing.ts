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
      (argument: never): unknown => {
        const began = now();
        const observe = (): void => commits.observe({ operation }, (now() - began) / 1000);
        const result = money[operation](argument);
        if (result instanceof Promise) return observed<unknown>(result, observe);
        observe();
        return result;
      },
    ]),
  );
}

async function observed<T>(result: Promise<T>, observe: () => void): Promise<T> {
  try {
    return await result;
  } finally {
    observe();
  }
}
