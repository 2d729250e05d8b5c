import type { Voice } from "@manifold-gateway/core/operations";
import type { MediaSource, Prober } from "@manifold-gateway/media";
import type { GuardedFetch } from "@manifold-gateway/providers";
import type { Links, Objects } from "@manifold-gateway/store";
import type { Jobs } from "./jobs.ts";
import type { JobLimits } from "./limits.ts";

/** What serving media needs. */
export interface Media {
  jobs: Jobs;
  /** The store of files. */
  objects: Objects;
  /** Verifies links to files; absent if the store answers its links itself. */
  links?: Links;
  /** Fetches from addresses that callers name. */
  fetch: GuardedFetch;
  probes: Probes;
  voices: readonly Voice[];
  /** Links to files are accessible to providers. */
  isPublic: boolean;
  limits: Pick<JobLimits, "deadline" | "maxLiveJobs">;
}

/** Probes files for accounts. */
export interface Probes {
  /** See `Prober`. */
  probe(account: string, source: MediaSource): ReturnType<Prober["probe"]>;
}
