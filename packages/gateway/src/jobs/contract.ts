import type { JobLimits } from "../ports/limits.ts";
import type { JobDeps } from "./deps.ts";

/** The parts that jobs are made of; see `Tools` for each. */
export type JobsOptions = Omit<
  JobDeps,
  "clock" | "random" | "limits" | "owner" | "changed" | "isPublic" | "registry"
> & {
  registry?: JobDeps["registry"];
  /** Default: no. */
  isPublic?: boolean;
  /** Default: the machine's. */
  clock?: JobDeps["clock"];
  random?: JobDeps["random"];
  limits?: Partial<JobLimits>;
};
