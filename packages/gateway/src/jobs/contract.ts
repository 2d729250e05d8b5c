import { randomUUID } from "node:crypto";
import { withDefaults } from "../check-options.ts";
import type { JobLimits } from "../ports/limits.ts";
import type { Clock } from "./clock.ts";
import type { JobDeps, JobFiles, JobHealth, JobProviders } from "./deps.ts";
import { defaultJobLimits } from "./limits.ts";

/** The dependencies of jobs; `JobDeps` and its groups describe each. */
export interface JobsOptions
  extends JobProviders,
    Omit<JobFiles, "isPublic" | "fetchOutput">,
    JobHealth,
    Pick<JobDeps, "store" | "policy" | "log" | "observer"> {
  /** Default: false. */
  isPublic?: boolean;
  /** Default: `fetch`. */
  fetchOutput?: JobFiles["fetchOutput"] | undefined;
  /** Default: the machine's clock. */
  clock?: JobDeps["clock"];
  random?: JobDeps["random"];
  limits?: Partial<JobLimits>;
}

/** Groups the dependencies by what needs them. */
export function toDeps(options: JobsOptions, clock: Clock, changed: (id: string) => void): JobDeps {
  const { store, policy, log, observer, random = Math.random } = options;
  const { service, client, credentials, registry } = options;
  const { objects, isPublic = false, fetch, fetchOutput = fetch, probes } = options;
  const { enter, onSubmitted, onNotDispatched } = options;
  return {
    ...{ store, policy, clock, random, log, observer, changed },
    providers: { service, client, credentials, registry },
    files: { objects, isPublic, fetch, fetchOutput, probes },
    health: { enter, onSubmitted, onNotDispatched },
    limits: withDefaults(defaultJobLimits, options.limits),
    owner: `${store.owner}/${randomUUID()}`,
  };
}
