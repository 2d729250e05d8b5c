import type { JobLimits } from "../ports/limits.ts";
import type { Tools } from "./tools.ts";

/** What jobs are made of; see `Tools` for what each is for. */
export type JobsOptions = Omit<
  Tools,
  "clock" | "random" | "limits" | "owner" | "changed" | "isPublic" | "registry"
> & {
  /** See `BillingOptions`. */
  policy: "threshold" | "strict";
  registry?: Tools["registry"];
  /** Default: no. */
  isPublic?: boolean;
  /** Default: the machine's. */
  clock?: Tools["clock"];
  random?: Tools["random"];
  limits?: Partial<JobLimits>;
};
