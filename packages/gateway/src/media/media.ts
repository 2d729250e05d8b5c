import type { Voice } from "@manifold/core";
import type { GuardedFetch } from "@manifold/providers";
import type { Links, Objects } from "@manifold/store";
import { Refusal } from "../http/refusal.ts";
import type { JobLimits, Jobs } from "../jobs/index.ts";
import type { Probes } from "../probes.ts";

/** What media is served with. */
export interface Media {
  jobs: Jobs;
  /** Where files are kept. */
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

/** The media services, or a 503 where this gateway has none. */
export function mediaOf({ media }: { media?: Media }): Media {
  if (media) return media;
  throw new Refusal(
    "media_not_served",
    "This gateway keeps no files: it serves no images, videos or speech.",
    {},
  );
}
