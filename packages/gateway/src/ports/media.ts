import type { Voice } from "@manifold-gateway/core/operations";
import type { MediaSource, Prober } from "@manifold-gateway/media";
import type { GuardedFetch } from "@manifold-gateway/providers";
import type { Links, Objects } from "@manifold-gateway/store";
import type { Jobs } from "./jobs.ts";
import type { JobLimits } from "./limits.ts";

/** The services that media needs. */
export interface Media {
  jobs: Jobs;
  /** The store of files. */
  objects: Objects;
  /** Judges links to files; absent where the store answers its links itself. */
  links?: Links;
  /** For addresses that callers name. */
  fetch: GuardedFetch;
  probes: Probes;
  voices: readonly Voice[];
  /** Links to files can be opened by providers. */
  isPublic: boolean;
  limits: Pick<JobLimits, "deadline" | "maxLiveJobs">;
}

/** Probes files for accounts. */
export interface Probes {
  /** See `Prober`. */
  probe(account: string, source: MediaSource): ReturnType<Prober["probe"]>;
}
