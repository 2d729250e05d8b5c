import { randomUUID } from "node:crypto";
import { withDefaults } from "../check-options.ts";
import { systemClock } from "../jobs/clock.ts";
import type { Batches } from "../ports/batches.ts";
import type { BatchLimits } from "../ports/limits.ts";
import type { Surface } from "../route.ts";
import type { BatchDeps } from "./deps.ts";
import { defaultBatchLimits } from "./limits.ts";
import { createBatchScheduler } from "./scheduler.ts";

/** The dependencies of a gateway's batches. */
export interface BatchesOptions
  extends Pick<BatchDeps, "store" | "objects" | "providers" | "transport" | "policy" | "log" | "send"> {
  /** The surfaces with those routes only that lines of batches can name. */
  surfaces: readonly Surface[];
  limits?: Partial<BatchLimits> | undefined;
  now(): number;
  random?: () => number;
}

/** Creates the batches of a gateway. `start` begins work on them. */
export function createBatches({
  surfaces,
  limits: given,
  now,
  random = Math.random,
  ...options
}: BatchesOptions) {
  const limits = withDefaults(defaultBatchLimits, given);
  const surfaceOf = (name: string): Surface | undefined => surfaces.find((surface) => surface.name === name);
  const scheduler = createBatchScheduler({
    ...options,
    ...{ limits, random },
    clock: { ...systemClock, now },
    owner: `${options.store.owner}/${randomUUID()}`,
    prefixOf: (name) => surfaceOf(name)?.prefix ?? "",
  });
  return {
    ...scheduler,
    limits,
    endpointsOf: (name) => surfaceOf(name)?.routes.map(({ path }) => path) ?? [],
  } satisfies Batches & typeof scheduler;
}
