import type { JobLimits } from "../ports/limits.ts";
import type { JobDeps } from "./deps.ts";

/** The dependencies of jobs; `JobDeps` describes each. */
export type JobsOptions = Omit<
  JobDeps,
  "clock" | "random" | "limits" | "owner" | "changed" | "isPublic" | "registry"
> & {
  registry?: JobDeps["registry"];
  /** Default: false. */
  isPublic?: boolean;
  /** Default: the machine's clock. */
  clock?: JobDeps["clock"];
  random?: JobDeps["random"];
  limits?: Partial<JobLimits>;
};
