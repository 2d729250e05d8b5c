import type { Variant } from "./choice.ts";

/**
 * What is wanted of the billed gateway on SQLite, in one process with one core to itself: the most of each. The cost
 * of work is the CPU of the process, × that of a proxy that does the least for the same work.
 */
export const WANTED = {
  small: "≤ 2.4 × dispatch, 250 MB",
  manyKeys: "≤ 3 × dispatch",
  burst: "≤ 1.3 × dispatch",
  paced: "≤ 1.2 × dispatch",
  body: "≤ 1.2 × dispatch",
  unary: "≤ 2.5 × translator",
  events: "≤ 0.8 × translator",
  ready: "≤ 1.5 s",
  coldFlood: "≤ 4 × dispatch, warm",
  coldSteady: "p99 ≤ 10 ms",
  latency: "+0.4 / +1.2",
  memory: "≤ 31 KB a stream",
} as const;

/** What is wanted of a target, if it is a gateway that the figures are about. */
export const wantedOf = (target: { variant?: Variant | undefined }, text?: string): string | undefined =>
  target.variant?.kind === "billed" && target.variant.store === "sqlite" && target.variant.processes === 1
    ? text
    : undefined;
